// SPDX-License-Identifier: Apache-2.0

/// The headers of a frame, in their order.
///
/// Names are compared without regard to case, because other programs may use another case. A name
/// or a value contains no line break, and the transport sends both unchanged.
///
/// ```swift
/// var headers: FrameHeaders = ["Tidings-Type": "orders.placed"]
/// headers.append("Tidings-Hops", "1")
/// ```
public struct FrameHeaders: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// One header.
    public struct Field: Hashable, Sendable {
        /// The name as written.
        public let name: String
        /// The value.
        public let value: String

        /// Creates a header.
        package init(_ name: String, _ value: String) {
            (self.name, self.value) = (name, value)
        }
    }

    /// The name of a header that the bridge writes.
    package struct Name: Hashable, Sendable {
        /// The name as written.
        package let text: String

        /// The id of the message from the origin and the outbox row.
        ///
        /// The stream drops repeats by this id.
        package static let id = Name(text: "Tidings-Id")
        /// The storage from which the message came.
        package static let origin = Name(text: "Tidings-Origin")
        /// The wire name of the message's type.
        package static let type = Name(text: "Tidings-Type")
        /// The version of the body, a decimal number from 1.
        package static let version = Name(text: "Tidings-Version")
        /// The ordering key, percent-encoded.
        package static let key = Name(text: "Tidings-Key")
        /// The number of bridges that the message has passed, a decimal number.
        package static let hops = Name(text: "Tidings-Hops")
        /// The trace context of the W3C.
        package static let trace = Name(text: "traceparent")
        /// The outcome of a request instead of a body, such as `no-responder` if no process
        /// answers.
        package static let status = Name(text: "Tidings-Status")
        /// How long the asking process waits, in milliseconds.
        package static let timeout = Name(text: "Tidings-Timeout")
        /// The number of changes of a mirrored state, which reveals a stream that lost changes.
        package static let revision = Name(text: "Tidings-Revision")
        /// The sequence of the newest frame of the subject when this frame was written, or 0.
        ///
        /// The server refuses the frame if the subject has a newer frame by now.
        package static let after = Name(text: "Tidings-After")
    }

    /// The headers, in the order in which they were added.
    public private(set) var fields: [Field] = []

    /// Creates headers from names and values.
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { append(name, value) }
    }

    /// Creates headers in the order of `fields`.
    package init(_ fields: [Field]) {
        self.fields = fields
    }

    /// Adds a header, without a look at the present headers.
    public mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name, value))
    }

    /// The first value of a header.
    ///
    /// Setting a value replaces all headers of that name.
    package subscript(name: Name) -> String? {
        get { value(of: name.text) }
        set {
            fields.removeAll { Self.areEqual($0.name, name.text) }
            if let newValue { append(name.text, newValue) }
        }
    }

    /// Returns the first value of a header, or nil if there is none.
    public func value(of name: String) -> String? {
        fields.first { Self.areEqual($0.name, name) }?.value
    }

    /// The id of the message.
    public var id: String? { self[.id] }

    private static func areEqual(_ left: String, _ right: String) -> Bool {
        if left == right { return true }
        guard left.utf8.count == right.utf8.count else { return false }
        return zip(left.utf8, right.utf8).allSatisfy { lowercased($0) == lowercased($1) }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
