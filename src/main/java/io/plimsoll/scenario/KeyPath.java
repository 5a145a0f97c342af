package io.plimsoll.scenario;

import io.plimsoll.scenario.YamlNode.Field;
import io.plimsoll.scenario.YamlNode.Fields;
import io.plimsoll.scenario.YamlNode.Items;
import io.plimsoll.scenario.YamlNode.Scalar;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Names one key, or the same key of every element of a list: {@code producers[0].rate}, {@code producers.config.acks}.
 * Everything after {@code config.} is one key, including dots. Paths are checked against the known keys when parsed;
 * methods that apply them throw {@link InvalidValueException} with a sentence for the user.
 * @param text as written
 * @param steps a {@link String} is a key, an {@link Integer} an index, {@link #EACH} every element
 */
record KeyPath(String text, List<Object> steps) {
    private static final Object EACH = new Object();

    static KeyPath parse(String text, KeyShape.Section keys) {
        List<Object> steps = new ArrayList<>();
        KeyShape shape = keys;
        String rest = text;
        while (!rest.isEmpty()) {
            if (shape instanceof KeyShape.Open) {
                steps.add(rest);
                rest = "";
            } else if (shape instanceof KeyShape.Section section) {
                int end = endOfName(rest);
                String name = rest.substring(0, end);
                shape = known(section, name, rest, text.substring(0, text.length() - rest.length()));
                steps.add(name);
                rest = rest.substring(end);
                if (shape instanceof KeyShape.Entries entries && !rest.isEmpty()) {
                    rest = index(rest, steps, text);
                    shape = entries.each();
                }
                rest = afterDot(rest, text);
            } else {
                String parent = text.substring(0, text.length() - rest.length() - 1);
                throw new InvalidValueException("scenario.nothingBelow", Texts.shown(parent));
            }
        }
        InvalidValueException.when(steps.isEmpty(), "scenario.emptyPath");
        return new KeyPath(text, List.copyOf(steps));
    }

    private static int endOfName(String rest) {
        int end = 0;
        while (end < rest.length() && rest.charAt(end) != '.' && rest.charAt(end) != '[') {
            end++;
        }
        return end;
    }

    private static KeyShape known(KeyShape.Section section, String name, String rest, String before) {
        if (section.keys().containsKey(name)) {
            return section.shape(name);
        }
        Sentence hint = Suggestions.key(name, rest, section, before);
        throw new InvalidValueException("scenario.unknownKey", Texts.shown(before + name), hint);
    }

    private static String index(String rest, List<Object> steps, String text) {
        if (rest.charAt(0) != '[') {
            steps.add(EACH);
            return rest;
        }
        int end = rest.indexOf(']');
        String digits = end < 0 ? "" : rest.substring(1, end);
        if (!digits.matches("[0-9]{1,6}")) {
            throw new InvalidValueException("scenario.noIndex", Texts.shown(text));
        }
        steps.add(Integer.valueOf(digits));
        return rest.substring(end + 1);
    }

    private static String afterDot(String rest, String text) {
        if (rest.isEmpty()) {
            return rest;
        }
        InvalidValueException.when(
                rest.charAt(0) != '.' || rest.length() == 1,
                "scenario.unreadablePath",
                Texts.shown(text),
                Texts.quoted(rest));
        return rest.substring(1);
    }

    String shortName() {
        return String.valueOf(steps.get(steps.size() - 1));
    }

    /** The addresses in a tree that this path names, with indexes instead of {@link #EACH}. */
    List<List<Object>> addresses(Fields root) {
        List<List<Object>> found = List.of(List.of());
        for (Object step : steps) {
            found = found.stream()
                    .flatMap(address -> below(root, address, step))
                    .toList();
        }
        return found;
    }

    private static Stream<List<Object>> below(Fields root, List<Object> address, Object step) {
        if (step instanceof String) {
            return Stream.of(append(address, step));
        }
        int size = elements(root, address);
        if (step instanceof Integer index && index >= size) {
            throw new InvalidValueException(
                    "scenario.noEntry", display(address), size, display(append(address, index)));
        }
        return IntStream.range(0, size)
                .filter(element -> step == EACH || step.equals(element))
                .mapToObj(element -> append(address, element));
    }

    private static int elements(Fields root, List<Object> address) {
        YamlNode list = get(root, address);
        if (list instanceof Items items && !items.values().isEmpty()) {
            return items.values().size();
        }
        throw new InvalidValueException("scenario.nothingToSetIn", display(address));
    }

    private static List<Object> append(List<Object> address, Object step) {
        List<Object> longer = new ArrayList<>(address);
        longer.add(step);
        return longer;
    }

    static @Nullable YamlNode get(Fields root, List<Object> address) {
        YamlNode node = root;
        for (Object step : address) {
            if (node instanceof Fields fields && fields.fields().containsKey(step)) {
                node = fields.fields().get(step).value();
            } else if (node instanceof Items items
                    && step instanceof Integer i
                    && i < items.values().size()) {
                node = items.values().get(i);
            } else {
                return null;
            }
        }
        return node;
    }

    /** Sets a copy of a value at every address of this path, creating maps on the way; the YAML value null removes the key. */
    void set(Fields root, Position at, YamlNode value) {
        for (List<Object> address : addresses(root)) {
            boolean remove = value instanceof Scalar scalar && scalar.isNull();
            set(root, address, at, remove ? null : value.copy());
        }
    }

    private static void set(Fields root, List<Object> address, Position at, @Nullable YamlNode value) {
        YamlNode node = root;
        int last = address.size() - 1;
        for (int i = 0; i < last; i++) {
            Object step = address.get(i);
            if (step instanceof Integer index) {
                node = ((Items) node).values().get(index);
                continue;
            }
            Fields parent = fields(node, address.subList(0, i));
            Field next = parent.fields().get(step);
            if (next == null || (next.value() instanceof Scalar scalar && scalar.isNull())) {
                next = new Field(at, Fields.empty(at));
                parent.fields().put((String) step, next);
            }
            node = next.value();
        }
        Object step = address.get(last);
        if (step instanceof Integer index) {
            ((Items) node).values().set(index, value == null ? Fields.empty(at) : value);
        } else if (value == null) {
            fields(node, address.subList(0, last)).fields().remove(step);
        } else {
            fields(node, address.subList(0, last)).fields().put((String) step, new Field(at, value));
        }
    }

    private static Fields fields(YamlNode node, List<Object> address) {
        if (node instanceof Fields fields) {
            return fields;
        }
        throw new InvalidValueException("scenario.setAsAWhole", display(address), node.found());
    }

    static String display(List<Object> address) {
        StringBuilder text = new StringBuilder();
        for (Object step : address) {
            if (step instanceof Integer) {
                text.append('[').append(step).append(']');
            } else {
                text.append(text.isEmpty() ? "" : ".").append(step);
            }
        }
        return Texts.shown(text.toString());
    }

    /** Whether an address equals the other address or is below it. */
    static boolean within(List<Object> address, List<Object> ancestor) {
        return address.size() >= ancestor.size()
                && address.subList(0, ancestor.size()).equals(ancestor);
    }
}
