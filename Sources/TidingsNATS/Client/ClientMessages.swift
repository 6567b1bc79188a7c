// SPDX-License-Identifier: Apache-2.0
#if NATS
internal import CTidingsNATS
internal import Foundation

/// Messages that are not needed any more.
///
/// The messages are released together, and the last few messages late. Each release alone may wake
/// a thread of the library, which costs more than all other work on a message.
// Unchecked: one thread at a time uses the object, either the thread of a subscription or the queue
// of a connection.
final class UsedMessages: @unchecked Sendable {
    private var pointers: [OpaquePointer] = []
    private var size = 0

    deinit {
        for pointer in pointers { natsMsg_Destroy(pointer) }
    }

    /// Takes over a message, and releases all messages as soon as they are many or large.
    func append(_ message: consuming OutgoingMessage) {
        append(message.take())
    }

    func append(_ pointer: OpaquePointer) {
        pointers.append(pointer)
        size += Int(natsMsg_GetDataLength(pointer))
        guard pointers.count >= 64 || size > 1 << 18 else { return }
        for pointer in pointers { natsMsg_Destroy(pointer) }
        pointers.removeAll(keepingCapacity: true)
        size = 0
    }
}

/// A message to send.
struct OutgoingMessage: ~Copyable {
    let pointer: OpaquePointer

    init(subject: String, reply: String?, body: [UInt8]) throws(ClientFailure) {
        var pointer: OpaquePointer?
        let status = body.withUnsafeBytes { bytes in
            natsMsg_Create(
                &pointer,
                subject,
                reply,
                bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                Int32(clamping: bytes.count)
            )
        }
        guard status == NATS_OK, let pointer else { throw ClientFailure(status) }
        self.pointer = pointer
    }

    deinit {
        natsMsg_Destroy(pointer)
    }

    fileprivate consuming func take() -> OpaquePointer {
        let pointer = pointer
        discard self
        return pointer
    }

    /// Adds a header beside the headers of the same name.
    func addHeader(_ name: String, _ value: String) throws(ClientFailure) {
        try check(natsMsgHeader_Add(pointer, name, value))
    }
}

/// A message that arrived, valid only during the call of the receiver.
struct IncomingMessage: ~Copyable {
    let pointer: OpaquePointer
    /// Whether the library holds no other message of the subscription.
    ///
    /// If true, the next call of the receiver may be far away.
    let isLast: Bool

    var subject: String { String(cString: natsMsg_GetSubject(pointer)) }
    var reply: String? { natsMsg_GetReply(pointer).map { String(cString: $0) } }

    /// Calls `body` with the bytes of the reply subject, or returns nil without a reply subject.
    func withReply<Result>(_ body: (UnsafeRawBufferPointer) -> Result?) -> Result? {
        guard let reply = natsMsg_GetReply(pointer) else { return nil }
        return body(UnsafeRawBufferPointer(start: reply, count: strlen(reply)))
    }

    /// Whether the server answered because the message has no receiver.
    var isWithoutResponder: Bool { natsMsg_IsNoResponders(pointer) }

    /// Calls `body` with the bytes of the message.
    func withBody<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let bytes = UnsafeRawBufferPointer(
            start: natsMsg_GetData(pointer),
            count: Int(natsMsg_GetDataLength(pointer))
        )
        return body(bytes)
    }

    /// Returns the first value of a header.
    func header(_ name: String) -> String? {
        var value: UnsafePointer<CChar>?
        guard natsMsgHeader_Get(pointer, name, &value) == NATS_OK, let value else { return nil }
        return String(cString: value)
    }

    /// The names of the headers, in no particular order.
    var headerNames: [String] {
        var names: UnsafeMutablePointer<UnsafePointer<CChar>?>?
        var count: Int32 = 0
        let status = natsMsgHeader_Keys(pointer, &names, &count)
        return Self.texts(names, count: count, status: status)
    }

    /// Returns the values of a header in order.
    func headers(_ name: String) -> [String] {
        var values: UnsafeMutablePointer<UnsafePointer<CChar>?>?
        var count: Int32 = 0
        let status = natsMsgHeader_Values(pointer, name, &values, &count)
        return Self.texts(values, count: count, status: status)
    }

    private static func texts(
        _ texts: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
        count: Int32,
        status: natsStatus
    ) -> [String] {
        guard status == NATS_OK, let texts else { return [] }
        defer { free(texts) }
        return UnsafeBufferPointer(start: texts, count: Int(count)).compactMap { text in
            text.map { String(cString: $0) }
        }
    }
}
#endif
