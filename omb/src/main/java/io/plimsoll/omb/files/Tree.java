package io.plimsoll.omb.files;

import io.plimsoll.scenario.Position;
import io.plimsoll.scenario.YamlNode;
import io.plimsoll.scenario.YamlNode.Field;
import io.plimsoll.scenario.YamlNode.Fields;
import io.plimsoll.scenario.YamlNode.Items;
import io.plimsoll.scenario.YamlNode.Kind;
import io.plimsoll.scenario.YamlNode.Scalar;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * Builds a map of a scenario. Each value keeps its position in the user's file. The scenario reader reports problems at
 * this position.
 */
record Tree(Fields fields) {
    Tree(Position at, boolean flow) {
        this(new Fields(at, new LinkedHashMap<>(), flow));
    }

    Tree put(String key, Position from, YamlNode value) {
        fields.fields().put(key, new Field(from, value));
        return this;
    }

    Tree put(String key, Position from, Tree map) {
        return put(key, from, map.fields);
    }

    /** Adds a map unless it is empty. */
    Tree putSome(String key, Tree map) {
        return map.fields.fields().isEmpty() ? this : put(key, map.fields.at(), map);
    }

    Tree text(String key, Position from, String text) {
        return put(key, from, new Scalar(from, text, Kind.TEXT));
    }

    Tree number(String key, Position from, long number) {
        return put(key, from, new Scalar(from, Long.toString(number), Kind.NUMBER));
    }

    Tree number(String key, Position from, double number) {
        return put(key, from, new Scalar(from, plain(number), Kind.NUMBER));
    }

    Tree yes(String key, Position from) {
        return put(key, from, new Scalar(from, "true", Kind.BOOLEAN));
    }

    Tree texts(String key, Position from, List<String> texts) {
        List<YamlNode> nodes = new ArrayList<>();
        texts.forEach(text -> nodes.add(new Scalar(from, text, Kind.TEXT)));
        return put(key, from, new Items(from, nodes, true));
    }

    Tree list(String key, List<Tree> elements) {
        List<YamlNode> nodes = new ArrayList<>();
        elements.forEach(tree -> nodes.add(tree.fields));
        return nodes.isEmpty() ? this : put(key, fields.at(), new Items(fields.at(), nodes, false));
    }

    /** A number as in scenarios: without an exponent, and without a fraction if it is an integer. */
    static String plain(double number) {
        return new java.math.BigDecimal(number)
                .setScale(6, java.math.RoundingMode.HALF_UP)
                .stripTrailingZeros()
                .toPlainString();
    }
}
