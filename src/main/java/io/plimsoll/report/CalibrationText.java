package io.plimsoll.report;

import io.plimsoll.report.Table.Column;
import io.plimsoll.result.Calibration;
import io.plimsoll.result.Calibration.Breakdown;
import io.plimsoll.result.Units;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Shows what the load generator can do. */
public final class CalibrationText {
    private CalibrationText() {}

    /** @return lines without line breaks */
    public static List<String> lines(List<Calibration> calibrations, int width, Language language) {
        Sentence allCores =
                Sentence.of("report.label.allCores", Runtime.getRuntime().availableProcessors());
        List<String> lines = table(
                calibrations,
                width,
                language,
                List.of(
                        Column.number(
                                "report.label.recordsPerSecond",
                                c -> Units.rate(c.rates().recordsPerSecond())),
                        Column.number(
                                "report.label.megabytes",
                                c -> Units.megabytes(c.rates().bytesPerSecond())),
                        Column.number(
                                "report.label.cpuMicros", c -> micros(c.cost().cpuMicrosPerRecord())),
                        Column.number(
                                "report.label.perCore",
                                c -> Units.rate(c.rates().recordsPerSecondPerCore())),
                        new Column<>(
                                allCores::in, true, 0, c -> Units.rate(c.rates().recordsPerSecondAllCores())),
                        Column.text(
                                "report.label.boundBy",
                                c -> Sentence.term("report.part.", c.cost().bound()))));
        lines.add("");
        lines.add(Sentence.of("report.calibrated").in(language));
        lines.add("");
        lines.add(Sentence.of("report.whereTheCpuGoes").in(language));
        lines.addAll(table(
                calibrations,
                width,
                language,
                List.of(
                        part("report.part.system_calls", Breakdown::systemCalls),
                        part("report.part.copy", Breakdown::copy),
                        part("report.part.CRC", Breakdown::crc),
                        part("report.part.code", Breakdown::code),
                        Column.number(
                                "report.label.coresUsed",
                                2,
                                c -> Units.decimals(c.cost().generatorCores(), 2)),
                        Column.number(
                                "report.label.nullBroker",
                                1,
                                c -> micros(c.cost().nullBrokerCpuMicrosPerRecord()) + " µs"))));
        return lines;
    }

    private static List<String> table(
            List<Calibration> calibrations, int width, Language language, List<Column<Calibration>> columns) {
        List<Column<Calibration>> all = new ArrayList<>();
        all.add(Column.text("report.label.engine", c -> c.subject().engine()));
        all.add(Column.text("report.label.side", c -> c.subject().side()));
        all.add(Column.number(
                "report.label.record", c -> Units.bytes(c.subject().recordBytes())));
        all.addAll(columns);
        return new ArrayList<>(new Table<>(all, calibrations).lines(width, language));
    }

    private static Column<Calibration> part(String header, ToDoubleFunction<Breakdown> micros) {
        return Column.number(
                header,
                c -> Units.percent(
                        micros.applyAsDouble(c.breakdown()) / c.cost().cpuMicrosPerRecord()));
    }

    /** Three digits: a record may take a few hundredths. */
    private static String micros(double micros) {
        return Units.decimals(micros, micros < 0.1 ? 4 : micros < 1 ? 3 : 2);
    }
}
