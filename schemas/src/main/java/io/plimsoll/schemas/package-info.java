/** Values for Avro, Protobuf and JSON schemas, and schema registries: a separate module. */
package io.plimsoll.schemas;
