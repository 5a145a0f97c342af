package io.plimsoll.report;

import io.plimsoll.report.Table.Column;
import io.plimsoll.result.Calibration;
import io.plimsoll.result.Calibration.Breakdown;
import io.plimsoll.result.Units;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Shows the capacity of the load generator. */
public final class CalibrationText {
    public static String render(List<Calibration> calibrations, Look look) {
        Sentence allCores =
                Sentence.of("report.label.allCores", Runtime.getRuntime().availableProcessors());
        Block rates = table(
                calibrations,
                List.of(
                        Column.number(
                                "recordsPerSecond", Units::rate, c -> c.rates().recordsPerSecond()),
                        Column.number(
                                "megabytes", Units::megabytes, c -> c.rates().bytesPerSecond()),
                        Column.number("cpuMicros", c -> micros(c.cost().cpuMicrosPerRecord())),
                        Column.number("perCore", Units::rate, c -> c.rates().recordsPerSecondPerCore()),
                        new Column<>(
                                allCores::in, true, 0, c -> Units.rate(c.rates().recordsPerSecondAllCores())),
                        Column.text(
                                "boundBy",
                                c -> Sentence.term("report.part.", c.cost().bound()))));
        Block parts = table(
                calibrations,
                List.of(
                        part("report.part.system_calls", Breakdown::systemCalls),
                        part("report.part.copy", Breakdown::copy),
                        part("report.part.CRC", Breakdown::crc),
                        part("report.part.code", Breakdown::code),
                        Column.number(
                                "coresUsed", 2, c -> Units.decimals(c.cost().generatorCores(), 2)),
                        Column.number("nullBroker", 1, c -> micros(c.cost().nullBrokerCpuMicrosPerRecord()) + " µs")));
        return TerminalText.of(
                new Document()
                        .add(rates, Block.aside(Sentence.of("report.calibrated")))
                        .add(Sentence.of("report.whereTheCpuGoes"), parts),
                look);
    }

    private static Block table(List<Calibration> calibrations, List<Column<Calibration>> columns) {
        List<Column<Calibration>> all = new ArrayList<>();
        all.add(Column.text("engine", c -> c.subject().engine()));
        all.add(Column.text("side", c -> c.subject().side()));
        all.add(Column.number("record", c -> Units.bytes(c.subject().recordBytes())));
        all.addAll(columns);
        return Block.rows(new Table<>(all, calibrations));
    }

    private static Column<Calibration> part(String header, ToDoubleFunction<Breakdown> micros) {
        return Column.number(
                header,
                c -> Units.percent(
                        micros.applyAsDouble(c.breakdown()) / c.cost().cpuMicrosPerRecord()));
    }

    /** A time with more decimals for short times, because the time per record can be hundredths of a microsecond. */
    private static String micros(double micros) {
        return Units.decimals(micros, micros < 0.1 ? 4 : micros < 1 ? 3 : 2);
    }
}
