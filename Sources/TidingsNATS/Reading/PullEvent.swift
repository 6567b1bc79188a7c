// SPDX-License-Identifier: Apache-2.0
#if NATS
internal import Foundation
internal import TidingsBridge

/// What the server sends for a pull request.
enum PullEvent: Sendable {
    /// A frame, with the place that its delivery has among those of the consumer.
    case frame(SharedFrame, delivery: UInt64)
    /// A status, such as 100 for a heartbeat and 408 for the end of a request, with the number of
    /// frames that the request did not get.
    case status(Int, text: String, rest: Int?)

    /// Reads a message; nil if it is neither.
    init?(_ message: borrowing IncomingMessage) {
        guard let reply = message.reply, let place = DeliveryPlace(reply) else {
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
            ticket: reply,
            attempt: place.attempt,
            stored: stored
        )
        self = .frame(frame, delivery: place.delivery)
    }
}

/// The numbers in the reply subject of a delivery:
/// `$JS.ACK.<stream>.<consumer>.<attempt>.<sequence>.<delivery>.<time>.<pending>`, where newer
/// servers insert a domain and an account.
struct DeliveryPlace {
    let attempt: Int
    let streamSequence: UInt64
    let delivery: UInt64
    let time: Int64

    init?(_ reply: String) {
        guard reply.hasPrefix("$JS.ACK.") else { return nil }
        // Byte by byte, as this runs for each delivery.
        var numbers: [UInt64?] = []
        var number: UInt64? = 0
        var length = 0
        let endToken = { (numbers: inout [UInt64?]) in
            if length > 0 { numbers.append(number) }
            (number, length) = (0, 0)
        }
        for byte in reply.utf8 {
            if byte == UInt8(ascii: ".") {
                endToken(&numbers)
                continue
            }
            length += 1
            let digit = byte &- UInt8(ascii: "0")
            guard let value = number, digit < 10 else {
                number = nil
                continue
            }
            let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflow) = product.addingReportingOverflow(UInt64(digit))
            number = isTooLarge || overflow ? nil : sum
        }
        endToken(&numbers)
        let start = numbers.count >= 11 ? 6 : 4
        guard numbers.count >= start + 5, let attempt = numbers[start],
            let streamSequence = numbers[start + 1], let delivery = numbers[start + 2],
            let time = numbers[start + 3].flatMap({ Int64(exactly: $0) }),
            let attempt = Int(exactly: attempt)
        else { return nil }
        (self.attempt, self.streamSequence) = (attempt, streamSequence)
        (self.delivery, self.time) = (delivery, time)
    }
}
#endif
