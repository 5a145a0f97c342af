package io.plimsoll.schemas;

import org.jspecify.annotations.Nullable;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A condition on a field of decoded records, such as {@code > 0}; it must be true for all elements of lists on the path. */
record Condition(String[] path, String operator, String text) {
    private static final Pattern FORM = Pattern.compile("(?s)\\s*(>=|<=|==|!=|>|<)?\\s*(.*?)\\s*");
    private static final String NULL = "null";
    /** Stands for a field that is missing or null. */
    private static final Object MISSING = new Object();

    static Condition of(String path, String condition) {
        Matcher form = FORM.matcher(condition);
        if (!form.matches()) {
            throw new IllegalArgumentException(condition);
        }
        return new Condition(path.split("\\."), form.group(1) == null ? "==" : form.group(1), form.group(2));
    }

    /** Whether the condition is true. For a missing or null field, only {@code == null} is true. */
    boolean holds(SchemaFormat.Decoder decoder, @Nullable Object decoded) {
        List<Object> found = new ArrayList<>();
        collect(decoder, decoded, 0, found);
        return !found.isEmpty() && found.stream().allMatch(this::matches);
    }

    private void collect(SchemaFormat.Decoder decoder, @Nullable Object at, int step, List<Object> found) {
        Iterable<?> elements = at instanceof Collection<?> list
                ? list
                : at instanceof JsonNode json && json.isArray() ? json : null;
        if (elements != null) {
            elements.forEach(each -> collect(decoder, each, step, found));
        } else if (step == path.length) {
            found.add(at == null || at instanceof NullNode ? MISSING : at);
        } else if (at != null) {
            collect(decoder, decoder.child(at, path[step]), step + 1, found);
        }
    }

    private boolean matches(Object value) {
        if (value == MISSING) {
            return operator.equals("==") && text.equals(NULL);
        }
        String found = value instanceof JsonNode json ? json.asText() : value.toString();
        Double number = number(found);
        Double limit = number(text);
        if (limit != null && number == null) {
            return operator.equals("!=");
        }
        int order = limit != null && number != null ? Double.compare(number, limit) : found.compareTo(text);
        return switch (operator) {
            case ">" -> order > 0;
            case ">=" -> order >= 0;
            case "<" -> order < 0;
            case "<=" -> order <= 0;
            case "!=" -> order != 0;
            default -> order == 0;
        };
    }

    private static @Nullable Double number(String text) {
        try {
            return Double.valueOf(text);
        } catch (NumberFormatException e) {
            return null;
        }
    }
}
