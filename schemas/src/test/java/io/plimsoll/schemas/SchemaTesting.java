package io.plimsoll.schemas;

import io.plimsoll.payload.PayloadSource;
import io.plimsoll.payload.RecordGenerator;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.RecordSpec;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.SchemaSpec.Decoding;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Scenarios with a schema, and records of them. */
final class SchemaTesting {
    static final String AVRO = """
        {"type": "record", "name": "Order", "namespace": "shop", "fields": [
          {"name": "id", "type": "long"},
          {"name": "amount", "type": "int"},
          {"name": "country", "type": "string"},
          {"name": "at", "type": {"type": "long", "logicalType": "timestamp-millis"}},
          {"name": "customer", "type": ["null", "string"]},
          {"name": "status", "type": {"type": "enum", "name": "Status", "symbols": ["NEW", "PAID"]}},
          {"name": "price", "type": {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 2}},
          {"name": "key", "type": {"type": "string", "logicalType": "uuid"}},
          {"name": "tags", "type": {"type": "map", "values": "double"}},
          {"name": "parent", "type": ["null", "Order"]},
          {"name": "items", "type": {"type": "array", "items": {"type": "record", "name": "Item", "fields": [
            {"name": "sku", "type": "string"}, {"name": "count", "type": "int"}]}}}]}""";
    static final String PROTO = """
        syntax = "proto3";
        package shop;
        import "google/protobuf/timestamp.proto";
        import "parts/item.proto";
        enum Status { NEW = 0; PAID = 1; }
        message Other { string name = 1; }
        message Order {
          int64 id = 1;
          sint32 amount = 2;
          string country = 3;
          google.protobuf.Timestamp at = 4;
          optional string customer = 5;
          Status status = 6;
          repeated shop.parts.Item items = 7;
          map<string, fixed32> tags = 8;
          oneof payment { string card = 9; bool cash = 10; }
          Order parent = 11;
          repeated uint64 numbers = 12;
          bytes blob = 13;
          float weight = 14;
        }
        """;
    static final String ITEM = """
        syntax = "proto3";
        package shop.parts;
        message Item { string sku = 1; uint32 count = 2; }
        """;
    static final String JSON = """
        {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
         "required": ["id", "amount", "country"], "additionalProperties": false,
         "properties": {
          "id": {"type": "integer"}, "amount": {"type": "integer", "minimum": 1, "maximum": 9000},
          "country": {"type": "string", "enum": ["DE", "FR", "NL"]},
          "at": {"type": "string", "format": "date-time"},
          "items": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/item"}}},
         "$defs": {"item": {"type": "object", "required": ["sku"], "properties": {
           "sku": {"type": "string", "minLength": 3, "maxLength": 5},
           "price": {"type": "number", "exclusiveMinimum": 0}}}}}""";
    static final String FIELDS =
            "{id: {sequence: true}, amount: {between: [1, 5000]}, country: {oneOf: {DE: 5, FR: 2}}}";
    private static final long SEED = 7;

    private SchemaTesting() {}

    /** Writes the schemas of all languages. */
    static void write(Path directory) {
        try {
            Files.createDirectories(directory.resolve("parts"));
            Files.writeString(directory.resolve("order.avsc"), AVRO);
            Files.writeString(directory.resolve("order.proto"), PROTO);
            Files.writeString(directory.resolve("parts").resolve("item.proto"), ITEM);
            Files.writeString(directory.resolve("order.json"), JSON);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @param schema of the values, as YAML in one line */
    static Scenario scenario(String schema, String consumer) {
        return plan(schema, consumer).trials().get(0).scenario();
    }

    static Plan plan(String schema, String consumer) {
        return ScenarioReader.read("""
                name: orders
                topics: [{name: orders, partitions: 1}]
                producers: [{topic: orders, rate: 100/s, record: {schema: %s}}]
                consumers: [{topic: orders, schema: %s}]
                duration: 1m
                """.formatted(schema, consumer), "orders.yaml", List.of(), 1);
    }

    static RecordSpec record(String schema) {
        return producer(schema).record();
    }

    static ProducerSpec producer(String schema) {
        return scenario(schema, "{decode: 1}").producers().get(0);
    }

    static Decoding decoding(String schema, String consumer) {
        return scenario(schema, consumer).consumers().get(0).decoding().orElseThrow();
    }

    static RecordGenerator generator(RecordSpec record, int thread, int threads) {
        PayloadSource source = PayloadSource.load(record, SEED);
        return RecordGenerator.of(record, SEED, thread, threads, 1, source, RecordGenerator.NO_PRODUCER);
    }

    static List<byte[]> values(RecordSpec record, int count) {
        RecordGenerator generator = generator(record, 0, 1);
        List<byte[]> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add(generator.nextValue(i, 1_700_000_000_000_000_000L + i * 1_000_000L).clone());
        }
        return values;
    }

    static Stream<String> languages(Path directory) {
        return Stream.of("order.avsc", "order.proto, message: Order", "order.json")
                .map(file -> "{file: " + directory.resolve(file.split(",")[0])
                        + (file.contains(",") ? file.substring(file.indexOf(',')) : "") + ", fields: " + FIELDS + "}");
    }
}
