"""Runs SQL on one engine over the tables of a publication. Reads a job as JSON, writes a line of JSON for each query."""

import json
import os
import sys
from decimal import Decimal


def plain(value):
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return str(value)


def open_duckdb(job):
    import duckdb
    import duckdb_extension_avro
    import duckdb_extension_iceberg

    connection = duckdb.connect(config={'allow_unsigned_extensions': 'true', 'threads': 2})
    for package, name in ((duckdb_extension_avro, 'avro'), (duckdb_extension_iceberg, 'iceberg')):
        folder = os.path.join(os.path.dirname(package.__file__), 'extensions', 'v' + duckdb.__version__)
        connection.execute(f"LOAD '{folder}/{name}.duckdb_extension'")
    # 1.5.5 can't push such filters into files whose columns are found by a name mapping.
    connection.execute("SET disabled_optimizers = 'join_filter_pushdown'")
    if 'catalog' in job:
        connection.execute(f"CREATE SECRET (TYPE iceberg, TOKEN '{job['token']}')")
        connection.execute(f"ATTACH 'lake' AS al (TYPE iceberg, ENDPOINT '{job['catalog']}')")
        source = lambda table: f'SELECT * FROM al.{job["namespace"]}.{table}'
    else:
        source = lambda table: f"SELECT * FROM iceberg_scan('{job['dir']}/{table}')"
    for table in job['tables']:
        connection.execute(f'CREATE VIEW {table} AS {source(table)}')
    return lambda sql: connection.execute(sql).fetchall()


def open_clickhouse(job):
    from chdb import session

    # It reads nothing outside of the working directory.
    os.chdir('/')
    opened = session.Session()
    opened.query('CREATE DATABASE lake')
    for table in job['tables']:
        opened.query(f"CREATE VIEW lake.{table} AS SELECT * FROM icebergLocal('{job['dir']}/{table}')")
    opened.query('USE lake')
    settings = ' SETTINGS join_use_nulls = 1, output_format_json_quote_64bit_integers = 0'

    def run(sql):
        lines = opened.query(sql + settings, 'JSONCompactEachRow').bytes().decode()
        return [json.loads(line) for line in lines.splitlines()]

    return run


def open_spark_session(session, job):
    for table in job['tables']:
        session.read.format('iceberg').load(f"{job['dir']}/{table}").createOrReplaceTempView(table)
    return lambda sql: [tuple(row) for row in session.sql(sql).collect()]


def open_sail(job):
    os.environ['SAIL_MODE'] = 'local-cluster'
    from pysail.spark import SparkConnectServer
    from pyspark.sql import SparkSession

    server = SparkConnectServer()
    server.start()
    _, port = server.listening_address
    session = SparkSession.builder.remote(f'sc://localhost:{port}').getOrCreate()
    run = open_spark_session(session, job)
    # The server ends with the last reference to it.
    return lambda sql: (server, run(sql))[1]


def open_spark(job):
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master('local-cluster[2,1,1024]')
        .config('spark.jars', job['jars'])
        .config('spark.sql.extensions', 'org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions')
        .config('spark.sql.shuffle.partitions', '2')
        .config('spark.ui.enabled', 'false')
        .getOrCreate()
    )
    return open_spark_session(session, job)


def open_trino(job):
    import trino

    connection = trino.dbapi.connect(
        host='127.0.0.1', port=job['port'], user='test', catalog='rest', schema=job['namespace']
    )

    def run(sql):
        cursor = connection.cursor()
        cursor.execute(sql)
        return cursor.fetchall()

    return run


OPEN = {
    'duckdb': open_duckdb,
    'duckdb-rest': open_duckdb,
    'clickhouse': open_clickhouse,
    'sail': open_sail,
    'spark': open_spark,
    'trino': open_trino,
}


def main():
    engine, path = sys.argv[1:]
    with open(path) as file:
        job = json.load(file)
    run = OPEN[engine](job)
    with open(job['out'], 'w') as out:
        for sql in job['queries']:
            try:
                answer = {'rows': [[plain(value) for value in row] for row in run(sql)]}
            except Exception as error:
                answer = {'error': str(error)[:2000]}
            out.write(json.dumps(answer) + '\n')
            out.flush()
    os._exit(0)


main()
