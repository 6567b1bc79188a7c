// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
internal import CTidingsSystemd

/// Appends values to an sd-bus message.
///
/// Only the code that created the message has access before the message is sent.
struct BusMessageWriter {
    let message: OpaquePointer

    /// The maximum number of bytes in the strings and arrays of a message.
    ///
    /// The bus ends a connection that sends more than the bus accepts, 128 MiB in the
    /// specification.
    static let limit = 16 << 20

    /// Appends the values of a message.
    ///
    /// - Throws: `.invalid` if the values are too long for the bus.
    func appendAll(_ values: [BusValue]) throws(BusError) {
        guard values.reduce(0, { $0 + $1.length }) <= Self.limit else {
            throw .invalid("The message is longer than 16 MiB. Shorten its texts.")
        }
        try append(values)
    }

    private func append(_ values: [BusValue]) throws(BusError) {
        for value in values { try append(value) }
    }

    private func append(_ value: BusValue) throws(BusError) {
        switch value {
        case .byte(let number): try basic("y", number)
        case .bool(let isTrue): try basic("b", Int32(isTrue ? 1 : 0))
        case .int16(let number): try basic("n", number)
        case .uint16(let number): try basic("q", number)
        case .int32(let number): try basic("i", number)
        case .uint32(let number): try basic("u", number)
        case .int64(let number): try basic("x", number)
        case .uint64(let number): try basic("t", number)
        case .double(let number): try basic("d", number)
        case .string(let text): try string("s", text)
        case .objectPath(let text): try string("o", text)
        case .signature(let text): try string("g", text)
        case .bytes(let bytes): try array(bytes)
        case .array(let element, let elements): try container("a", of: element, elements)
        case .structure(let members):
            try container("r", of: members.map(\.signature).joined(), members)
        case .entry(let key, let value):
            try container("e", of: key.signature + value.signature, [key, value])
        case .variant(let value): try container("v", of: value.signature, [value])
        }
    }

    private func basic<Number: BitwiseCopyable>(
        _ type: Unicode.Scalar,
        _ number: Number
    ) throws(BusError) {
        var number = number
        try check(sd_bus_message_append_basic(message, CChar(type.value), &number))
    }

    private func string(_ type: Unicode.Scalar, _ text: String) throws(BusError) {
        // The C function would cut the text at the NUL character.
        guard !text.utf8.contains(0) else { throw .invalid("The text contains a NUL character.") }
        try check(
            text.withCString { sd_bus_message_append_basic(message, CChar(type.value), $0) }
        )
    }

    private func array(_ bytes: [UInt8]) throws(BusError) {
        try check(
            bytes.withUnsafeBytes {
                sd_bus_message_append_array(
                    message,
                    CChar(UInt8(ascii: "y")),
                    $0.baseAddress,
                    $0.count
                )
            }
        )
    }

    private func container(
        _ type: Unicode.Scalar,
        of contents: String,
        _ values: [BusValue]
    ) throws(BusError) {
        try check(sd_bus_message_open_container(message, CChar(type.value), contents))
        try append(values)
        try check(sd_bus_message_close_container(message))
    }

    private func check(_ result: Int32) throws(BusError) {
        if result < 0 {
            throw .invalid("sd-bus rejected a value: \(BusText.errorDescription(-result)).")
        }
    }
}
#endif
