"""Surveys a crawl with Spark: on which pages do two tables of Speclex differ? See docs/surveying-a-crawl.md."""
import argparse
import collections
import json
import os
import subprocess
import sys
import tempfile
import threading

import fsspec
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from pyspark.sql import functions as sql

import warc_to_json

FORMATS = {".warc": "warc", ".parquet": "parquet", ".json": "json", ".jsonl": "json", ".ndjson": "json"}


def arguments(words=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs=2, metavar="TABLE", help="its name, or a path that all workers see")
    parser.add_argument("--pages", required=True, metavar="PATH",
                        help="Parquet or JSON lines with the columns name and document; or WARC files: one, a folder, a pattern")
    parser.add_argument("--out", required=True, metavar="PATH", help="a folder for survey.json and report.txt")
    parser.add_argument("--format", choices=sorted(set(FORMATS.values())), help="of the pages (default: by the name)")
    parser.add_argument("--partitions", type=int, metavar="N", help="how many tasks (default: as the pages lie; one a WARC file)")
    parser.add_argument("--speclex", default="speclex", metavar="PROGRAM", help="on driver and workers (default: speclex)")
    args = parser.parse_args(words)
    if not args.format:
        name = args.pages.rstrip("/").removesuffix(".gz")
        args.format = FORMATS.get(os.path.splitext(name)[1])
    if not args.format:
        parser.error("add --format: the name of the pages does not say it")
    return args


def speclex(args, options, lines):
    """What `speclex diff` prints of lines."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        command = [args.speclex, "diff", *options]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=out, stderr=errors) as child:
            try:
                for line in lines:
                    child.stdin.write(line.encode() + b"\n")
                child.stdin.close()
                read = True
            except BrokenPipeError:
                read = False
        out.seek(0)
        errors.seek(0)
        printed = out.read().decode()
        # 1: documents differ. 2: some were not read; or nothing was done, and nothing printed.
        if child.returncode not in (0, 1, 2) or not read or not printed:
            raise RuntimeError(f"speclex ended with {child.returncode}: {errors.read().decode(errors='replace').strip()}")
        return printed.rstrip("\n")


def survey(args, lines):
    """The survey of lines of JSON, each with what it counts as. A line that is None is left out."""
    counts = collections.Counter()

    def documents():
        for line, what in lines:
            counts[what] += 1
            if line is not None:
                yield line

    options = ["--input", "-", "--records", "json", "--name", args.pages, "--totals", "--format", "json", "--threads", "1"]
    found = json.loads(speclex(args, [*args.tables, *options], documents()))
    found["notUtf8"] += counts[warc_to_json.NOT_UTF8]
    for what, times in counts.items():
        if what.startswith(warc_to_json.LEFT_OUT):
            found["skipped"][what.removeprefix(warc_to_json.LEFT_OUT)] = times
    return json.dumps(found)


def merged(args, *surveys):
    return speclex(args, ["--merge", "-", "--format", "json"], surveys)


def row_line(row):
    """The line of a row of the data frame."""
    name, document, wrong, file = row
    if name is None or document is None or wrong is not None:
        begin = wrong or name or document or ""
        begin = begin if isinstance(begin, str) else bytes(begin[:60]).decode("utf-8", "replace")
        reason = "the line is not a JSON object" if wrong else "the row has no texts `name` and `document`"
        return warc_to_json.line(name or f"{file}: {begin[:60]}", None, reason)
    body = document.encode() if isinstance(document, str) else bytes(document)
    if len(body) > warc_to_json.LONGEST:
        return warc_to_json.line(name, None, "longer than 16 MiB")
    return warc_to_json.line(name, *warc_to_json.decoded(body))


def lines(spark, args):
    """The pages, as an RDD of lines and what they count as."""
    if args.format == "warc":
        files, root = fsspec.url_to_fs(args.pages)
        found = files.glob(root) if fsspec.core.has_magic(root) else files.find(root)
        paths = sorted(path for path in found if path.removesuffix(".gz").endswith(".warc"))
        if not files.protocol[0] == "file":
            paths = [files.unstrip_protocol(path) for path in paths]
        if not paths:
            raise FileNotFoundError(f"there are no WARC files at {args.pages}")
        tasks = spark.sparkContext.parallelize(paths, args.partitions or len(paths))
        return tasks.flatMap(lambda path: warc_to_json.lines(path, fsspec.open))
    if args.format == "json":
        schema = "name STRING, document STRING, wrong STRING"
        rows = spark.read.json(args.pages, schema=schema, columnNameOfCorruptRecord="wrong")
    else:
        rows = spark.read.parquet(args.pages).withColumn("wrong", sql.lit(None))
    rows = rows.select(sql.col("name").cast("string"), "document", "wrong", "_metadata.file_name")
    kind = dict(rows.dtypes)["document"]
    if kind not in ("string", "binary"):
        raise RuntimeError(f"the column `document` has the type {kind}, not string or binary")
    if args.partitions:
        # By their hash, so that a row comes to the same partition when Spark computes one again.
        rows = rows.repartition(args.partitions, "name", "document")
    return rows.rdd.map(row_line)


def progress(spark, ended):
    """Prints how many tasks are done, until the job has ended."""
    tracker = spark.sparkContext.statusTracker()
    shown = {}
    running = True
    while running:
        running = not ended.wait(0.5)
        for stage in map(tracker.getStageInfo, sorted({*shown, *tracker.getActiveStageIds()})):
            if stage:
                text = f"stage {stage.stageId}: {stage.numCompletedTasks} of {stage.numTasks} tasks done"
                text += f", {stage.numFailedTasks} failed" * (stage.numFailedTasks > 0)
                if shown.get(stage.stageId) != text:
                    print(text, file=sys.stderr, flush=True)
                shown[stage.stageId] = text


def run(spark, args):
    """Surveys, writes what was found, and returns a summary."""
    out, folder = fsspec.url_to_fs(args.out)
    out.makedirs(folder, exist_ok=True)
    spark.sparkContext.addPyFile(os.path.abspath(warc_to_json.__file__))
    ended = threading.Event()
    shows = threading.Thread(target=progress, args=(spark, ended))
    shows.start()
    try:
        surveys = lines(spark, args).mapPartitions(lambda partition: [survey(args, partition)])
        parts = [surveys.treeReduce(lambda one, other: merged(args, one, other))] if surveys.getNumPartitions() else []
    finally:
        ended.set()
        shows.join()
    # One survey alone is put in order, too.
    found = merged(args, survey(args, []), *parts)
    report = speclex(args, ["--merge", "-"], [found])
    with out.transaction:
        for name, text in ("survey.json", found), ("report.txt", report):
            with out.open(f"{folder}/{name}", "w", encoding="utf-8") as file:
                file.write(text + "\n")
    found = json.loads(found)
    differing = sum(found["differing"].values())
    return f"{found['documents']} documents compared, {differing} differ, {found['unreadCount']} not read: {args.out}/report.txt"


def main():
    args = arguments()
    try:
        # Wrong tables, and a program that is missing, show before a cluster starts.
        survey(args, [])
        builder = SparkSession.builder.appName(f"speclex diff {' '.join(args.tables)}")
        spark = builder.config("spark.ui.showConsoleProgress", "false").getOrCreate()
        try:
            print(run(spark, args))
        finally:
            spark.stop()
    except (OSError, RuntimeError, PySparkException, Py4JJavaError) as error:
        sys.exit(f"error: {str(error).split('Driver stacktrace')[0].strip()}")


if __name__ == "__main__":
    main()
