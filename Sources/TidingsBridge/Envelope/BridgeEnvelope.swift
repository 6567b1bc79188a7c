// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Where a received message comes from.
///
/// ```swift
/// center.observe(OrderPlaced.self) { order in
///     print(order.id, BridgeEnvelope.current?.origin ?? "this process")
/// }
/// ```
public struct BridgeEnvelope: Hashable, Sendable {
    /// The envelope of the message in delivery, or nil outside handlers of received messages.
    ///
    /// The envelope is set in handlers that run on the thread of the post. The envelope is not set
    /// in queued handlers: handlers of the main actor, asynchronous handlers and sequences.
    @TaskLocal public static var current: BridgeEnvelope?

    /// The id of the message, the same at every receiver and after every repeat.
    public let id: String
    /// The storage of the bridge that first sent the message, or empty for another kind of program.
    public let origin: String
    /// The wire name of the message's type.
    package let type: String
    /// The version in which the message was sent, or nil if the sender stated no version.
    public let version: Int?
    /// The ordering key.
    public let key: String?
    /// The trace context of the W3C.
    public let traceContext: String?
    /// The number of bridges that the message has passed, including the sending bridge.
    public let hops: Int
    /// When the server stored the message, or nil for a transient message.
    public let stored: Date?

    /// Reads the headers of a received frame, and the subject in place of missing headers.
    ///
    /// - Parameters:
    ///   - frame: The frame.
    ///   - fallbackID: The id of a frame without one.
    ///   - stored: When the server stored the frame.
    /// - Throws: `malformed`.
    init(_ frame: BridgeFrame, fallbackID: String, stored: Date?) throws(BridgeError) {
        let headers = frame.headers
        let parts = Space.parts(of: frame.subject)
        guard let type = headers[.type] ?? parts?.type else {
            throw Self.malformed("has no type", frame)
        }
        self.type = type
        id = headers.id.flatMap { $0.isEmpty ? nil : $0 } ?? fallbackID
        origin = headers[.origin] ?? ""
        version = try Self.number(.version, in: frame, from: 1)
        hops = try Self.number(.hops, in: frame, from: 0) ?? 0
        if let header = headers[.key] {
            guard let key = KeyToken.key(header: header) else {
                throw Self.malformed("has the key “\(header.prefix(100))”", frame)
            }
            self.key = key
        } else {
            key = parts.flatMap { KeyToken.key(token: $0.token) }
        }
        traceContext = headers[.trace]
        self.stored = stored
    }

    private static func number(
        _ name: FrameHeaders.Name,
        in frame: BridgeFrame,
        from lowest: Int
    ) throws(BridgeError) -> Int? {
        guard let text = frame.headers[name] else { return nil }
        guard let number = Int(text), number >= lowest else {
            throw malformed("has the header \(name.text): \(text.prefix(100))", frame)
        }
        return number
    }

    private static func malformed(_ fault: String, _ frame: BridgeFrame) -> BridgeError {
        BridgeError(
            .malformed,
            "A message on \(frame.subject.prefix(200)) \(fault). Correct the program that sent it."
        )
    }
}
