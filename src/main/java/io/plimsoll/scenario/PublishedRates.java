package io.plimsoll.scenario;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The throughputs that were published for a trial, in records a second.
 *
 * @param produced 0 if none was
 * @param consumed 0 if none was
 */
record PublishedRates(double produced, double consumed) {
    private static final Pattern NUMBER = Pattern.compile("\\d{1,3}(,\\d{3})+(\\.\\d+)?|\\d+(\\.\\d+)?");

    static PublishedRates of(Optional<Reference> reference, String trial) {
        List<Reference.Table> tables = reference.map(Reference::tables).orElse(List.of());
        return new PublishedRates(rate(tables, trial, "produce.throughput"), rate(tables, trial, "consume.throughput"));
    }

    private static double rate(List<Reference.Table> tables, String trial, String figure) {
        for (Reference.Table table : tables) {
            for (int i = 0; i < table.columns().size(); i++) {
                Reference.Column column = table.columns().get(i);
                if (column.figure().equals(figure) && column.unit().equals("records/s")) {
                    int index = i;
                    OptionalDouble rate = table.rows().stream()
                            .filter(r -> r.trial().equals(trial) && r.values().get(index) != null)
                            .mapToDouble(r -> number(r.values().get(index)))
                            .filter(n -> n > 0)
                            .findFirst();
                    if (rate.isPresent()) {
                        return rate.getAsDouble();
                    }
                }
            }
        }
        return 0;
    }

    private static double number(String text) {
        Matcher number = NUMBER.matcher(text);
        return number.find() ? Double.parseDouble(number.group().replace(",", "")) : 0;
    }
}
