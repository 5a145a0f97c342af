package io.plimsoll.scenario;

import io.plimsoll.scenario.YamlNode.Fields;
import io.plimsoll.scenario.YamlNode.Items;
import io.plimsoll.scenario.YamlNode.Kind;
import io.plimsoll.scenario.YamlNode.Scalar;
import java.util.ArrayList;
import java.util.List;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Present;
import org.snakeyaml.engine.v2.api.lowlevel.Serialize;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.schema.CoreSchema;
import org.snakeyaml.engine.v2.schema.Schema;

/** Writes a tree as YAML that reads back as the same tree. */
final class YamlText {
    private static final Schema SCHEMA = new CoreSchema();

    private YamlText() {}

    static String of(YamlNode root) {
        DumpSettings settings = DumpSettings.builder()
                .setSchema(SCHEMA)
                .setDefaultFlowStyle(FlowStyle.BLOCK)
                .setDefaultScalarStyle(ScalarStyle.PLAIN)
                .setDereferenceAliases(true)
                .setIndent(2)
                .setWidth(120)
                .setSplitLines(false)
                .build();
        return new Present(settings)
                .emitToString(new Serialize(settings).serializeOne(node(root)).iterator());
    }

    private static org.snakeyaml.engine.v2.nodes.Node node(YamlNode node) {
        if (node instanceof Fields map) {
            List<NodeTuple> tuples = new ArrayList<>();
            map.fields().forEach((key, field) -> tuples.add(new NodeTuple(text(key), node(field.value()))));
            return new MappingNode(Tag.MAP, tuples, style(map.flow()));
        }
        if (node instanceof Items list) {
            return new SequenceNode(
                    Tag.SEQ, list.values().stream().map(YamlText::node).toList(), style(list.flow()));
        }
        Scalar scalar = (Scalar) node;
        return scalar.kind() == Kind.TEXT || scalar.kind() == Kind.LINES ? text(scalar.text()) : plain(scalar.inline());
    }

    private static ScalarNode text(String text) {
        return new ScalarNode(Tag.STR, text, ScalarStyle.PLAIN);
    }

    private static ScalarNode plain(String text) {
        return new ScalarNode(SCHEMA.getScalarResolver().resolve(text, true), text, ScalarStyle.PLAIN);
    }

    private static FlowStyle style(boolean flow) {
        return flow ? FlowStyle.FLOW : FlowStyle.BLOCK;
    }
}
