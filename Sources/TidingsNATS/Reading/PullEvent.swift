// SPDX-License-Identifier: Apache-2.0
#if NATS
internal import Foundation
internal import TidingsBridge

/// An event that the server sends for a pull request.
enum PullEvent: Sendable {
    /// A frame, with the place of the delivery among all deliveries of the consumer.
    case frame(SharedFrame, delivery: UInt64)
    /// A status, with the number of frames that the request did not get.
    ///
    /// Examples are 100 for a heartbeat and 408 for the end of a request.
    case status(Int, text: String, rest: Int?)

    /// Reads a message, or returns nil if the message is neither a frame nor a status.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - hasTicket: Whether the frame will be acknowledged.
    init?(_ message: borrowing IncomingMessage, hasTicket: Bool) {
        guard let place = message.withReply({ DeliveryPlace($0) }) else {
            guard let status = message.header("Status").flatMap({ Int($0.prefix(3)) }) else {
                return nil
            }
            self = .status(
                status,
                text: message.header("Description") ?? "",
                rest: message.header("Nats-Pending-Messages").flatMap { Int($0) }
            )
            return
        }
        let stored = StoredFrame(
            sequence: place.streamSequence,
            time: ServerTime.date(nanoseconds: place.time),
            frame: FrameForm.frame(of: message, subject: message.subject)
        )
        let frame = SharedFrame(
            ticket: hasTicket ? message.reply ?? "" : "",
            attempt: place.attempt,
            stored: stored
        )
        self = .frame(frame, delivery: place.delivery)
    }
}

/// The numbers in the reply subject of a delivery.
///
/// The form is `$JS.ACK.<stream>.<consumer>.<attempt>.<sequence>.<delivery>.<time>.<pending>`,
/// where newer servers insert a domain and an account.
struct DeliveryPlace {
    let attempt: Int
    let streamSequence: UInt64
    let delivery: UInt64
    let time: Int64

    /// Reads the subject byte by byte, because this code runs for each delivery.
    init?(_ reply: UnsafeRawBufferPointer) {
        guard reply.starts(with: "$JS.ACK.".utf8) else { return nil }
        let count = reply.reduce(1) { $1 == UInt8(ascii: ".") ? $0 + 1 : $0 }
        let start = count >= 11 ? 6 : 4
        guard count >= start + 5 else { return nil }
        var tokens = Tokens(bytes: reply)
        for _ in 0..<start { _ = tokens.next() }
        guard let attempt = tokens.nextNumber(), let streamSequence = tokens.nextNumber(),
            let delivery = tokens.nextNumber(),
            let time = tokens.nextNumber().flatMap({ Int64(exactly: $0) }),
            let attempt = Int(exactly: attempt)
        else { return nil }
        (self.attempt, self.streamSequence) = (attempt, streamSequence)
        (self.delivery, self.time) = (delivery, time)
    }
}

/// The tokens of a subject.
private struct Tokens {
    let bytes: UnsafeRawBufferPointer
    private var index = 0

    init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    mutating func next() -> Range<Int> {
        let start = index
        while index < bytes.count, bytes[index] != UInt8(ascii: ".") { index += 1 }
        defer { index = min(index + 1, bytes.count) }
        return start..<index
    }

    /// Returns the next token as a number, or nil if the token is not a number or too large.
    mutating func nextNumber() -> UInt64? {
        let token = next()
        if token.isEmpty { return nil }
        var number: UInt64 = 0
        for place in token {
            let digit = bytes[place] &- UInt8(ascii: "0")
            let (product, isTooLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, overflow) = product.addingReportingOverflow(UInt64(digit))
            if digit > 9 || isTooLarge || overflow { return nil }
            number = sum
        }
        return number
    }
}
#endif
