/** Values within Avro, Protobuf and JSON schemas, and schema registries: a module beside the program. */
package io.plimsoll.schemas;
