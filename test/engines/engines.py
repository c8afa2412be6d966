"""Runs SQL on one engine over the tables of a publication. Reads a job as JSON, writes a line of JSON for each query."""

import json
import os
import sys
from decimal import Decimal
from urllib.parse import urlsplit


def plain(value):
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return str(value)


def load_duckdb():
    import duckdb
    import duckdb_extension_avro
    import duckdb_extension_httpfs
    import duckdb_extension_iceberg

    connection = duckdb.connect(config={'allow_unsigned_extensions': 'true', 'threads': 2})
    packages = {'avro': duckdb_extension_avro, 'httpfs': duckdb_extension_httpfs, 'iceberg': duckdb_extension_iceberg}
    for name, package in packages.items():
        folder = os.path.join(os.path.dirname(package.__file__), 'extensions', 'v' + duckdb.__version__)
        connection.execute(f"LOAD '{folder}/{name}.duckdb_extension'")
    # 1.5.5 can't push such filters into files whose columns are found by a name mapping.
    connection.execute("SET disabled_optimizers = 'join_filter_pushdown'")
    return connection


def with_views(connection, job, to_source):
    for table in job['tables']:
        connection.execute(f'CREATE VIEW {table} AS SELECT * FROM {to_source(table)}')
    return lambda sql: connection.execute(sql).fetchall()


def open_duckdb(job):
    return with_views(load_duckdb(), job, lambda table: f"iceberg_scan('{job['dir']}/{table}')")


def open_duckdb_rest(job):
    connection = load_duckdb()
    connection.execute(f"CREATE SECRET (TYPE iceberg, TOKEN '{job['token']}')")
    connection.execute(f"ATTACH 'lake' AS al (TYPE iceberg, ENDPOINT '{job['catalog']}')")
    return with_views(connection, job, lambda table: f'al.lake.{table}')


def open_duckdb_s3(job):
    connection = load_duckdb()
    connection.execute(
        f"CREATE SECRET (TYPE s3, KEY_ID 'any', SECRET 'any', REGION 'us-east-1', URL_STYLE 'path', USE_SSL false, "
        f"ENDPOINT '{urlsplit(job['storage']).netloc}')"
    )
    return with_views(connection, job, lambda table: f"iceberg_scan('{job['location']}/{table}')")


def open_clickhouse(job):
    # It reads nothing outside of the working directory.
    os.chdir('/')
    return open_clickhouse_views(job, lambda table: f"icebergLocal('{job['dir']}/{table}')")


def open_clickhouse_s3(job):
    tree = job['storage'] + '/' + job['location'].removeprefix('s3://')
    return open_clickhouse_views(job, lambda table: f"icebergS3('{tree}/{table}', 'any', 'any')")


def open_clickhouse_views(job, to_source):
    from chdb import session

    opened = session.Session()
    opened.query('CREATE DATABASE lake')
    for table in job['tables']:
        opened.query(f'CREATE VIEW lake.{table} AS SELECT * FROM {to_source(table)}')
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


def start_spark(job):
    """A driver and two executors, each a process, that have 2.5 GB together."""
    from pyspark.sql import SparkSession

    settings = {
        'spark.driver.memory': '1g',
        'spark.executor.memory': '768m',
        'spark.driver.host': '127.0.0.1',
        'spark.driver.bindAddress': '127.0.0.1',
        'spark.jars.packages': 'org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.11.0',
        'spark.jars.ivy': job['ivy'],
        'spark.sql.session.timeZone': 'UTC',
        'spark.sql.shuffle.partitions': '2',
        'spark.ui.enabled': 'false',
        'spark.sql.catalog.al': 'org.apache.iceberg.spark.SparkCatalog',
        'spark.sql.catalog.al.type': 'rest',
        'spark.sql.catalog.al.uri': job['catalog'],
        'spark.sql.catalog.al.token': job['token'],
    }
    builder = SparkSession.builder.master('local-cluster[2,1,768]')
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def open_spark(job):
    return open_spark_session(start_spark(job), job)


def open_spark_rest(job):
    session = start_spark(job)
    for table in job['tables']:
        session.table(f'al.lake.{table}').createOrReplaceTempView(table)
    return lambda sql: [tuple(row) for row in session.sql(sql).collect()]


def open_trino(job):
    import trino

    connection = trino.dbapi.connect(
        host=urlsplit(job['trino']).hostname,
        port=urlsplit(job['trino']).port,
        user='test',
        catalog='al',
        schema='lake',
    )

    def run(sql):
        cursor = connection.cursor()
        cursor.execute(sql)
        return cursor.fetchall()

    return run


OPEN = {
    'duckdb': open_duckdb,
    'duckdb-rest': open_duckdb_rest,
    'duckdb-s3': open_duckdb_s3,
    'clickhouse': open_clickhouse,
    'clickhouse-s3': open_clickhouse_s3,
    'sail': open_sail,
    'spark': open_spark,
    'spark-rest': open_spark_rest,
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
    # Spark's processes end with the one that started them; some of the engines' threads never do.
    os._exit(0)


main()
