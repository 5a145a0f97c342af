package io.plimsoll.report;

import io.plimsoll.report.Table.Column;
import io.plimsoll.result.Calibration;
import io.plimsoll.result.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Shows what the load generator can do. */
public final class CalibrationText {
    private CalibrationText() {}

    /** @return lines without line breaks */
    public static List<String> lines(List<Calibration> calibrations, int width) {
        int cores = Runtime.getRuntime().availableProcessors();
        List<Column<Calibration>> columns = List.of(
                Column.named("engine", false, 0, c -> c.subject().engine()),
                Column.named("side", false, 0, c -> c.subject().side()),
                number("record", 0, c -> Units.bytes(c.subject().recordBytes())),
                number("records/s", 0, c -> Units.rate(c.rates().recordsPerSecond())),
                number("MB/s", 0, c -> Units.megabytes(c.rates().bytesPerSecond())),
                number("CPU µs", 0, c -> micros(c.cost().cpuMicrosPerRecord())),
                number("per core", 0, c -> Units.rate(c.rates().recordsPerSecondPerCore())),
                number("all " + cores + " cores", 0, c -> Units.rate(c.rates().recordsPerSecondAllCores())),
                Column.named("bound by", false, 0, c -> c.cost().bound()));
        List<String> lines = new ArrayList<>(new Table<>(columns, calibrations).lines(width));
        lines.add("");
        lines.add("One client. CPU is the load generator's per record; per core: records per CPU second; all cores:"
                + " computed.");
        lines.add("");
        lines.add("Where the CPU of a record goes");
        List<Column<Calibration>> parts = List.of(
                Column.named("engine", false, 0, c -> c.subject().engine()),
                Column.named("side", false, 0, c -> c.subject().side()),
                number("record", 0, c -> Units.bytes(c.subject().recordBytes())),
                part("system calls", c -> c.breakdown().systemCalls()),
                part("copy", c -> c.breakdown().copy()),
                part("CRC", c -> c.breakdown().crc()),
                part("code", c -> c.breakdown().code()),
                number("cores used", 2, c -> Units.decimals(c.cost().generatorCores(), 2)),
                number("null broker's, apart", 1, c -> micros(c.cost().nullBrokerCpuMicrosPerRecord()) + " µs"));
        lines.addAll(new Table<>(parts, calibrations).lines(width));
        return lines;
    }

    private static Column<Calibration> number(String header, int rank, Function<Calibration, String> cell) {
        return Column.named(header, true, rank, cell);
    }

    private static Column<Calibration> part(String header, Function<Calibration, Double> micros) {
        return number(header, 0, c -> Units.percent(micros.apply(c) / c.cost().cpuMicrosPerRecord()));
    }

    /** Three digits: a record may take a few hundredths. */
    private static String micros(double micros) {
        return Units.decimals(micros, micros < 0.1 ? 4 : micros < 1 ? 3 : 2);
    }
}
