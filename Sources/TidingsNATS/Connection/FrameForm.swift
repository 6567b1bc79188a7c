// SPDX-License-Identifier: Apache-2.0
#if NATS
internal import Foundation
internal import TidingsBridge

/// The form of frames on this engine, with the headers, sizes and subjects.
enum FrameForm {
    /// The header by which the stream recognizes repeats.
    static let messageID = "Nats-Msg-Id"
    /// The header by which the stream refuses a frame that is no longer the newest of the subject.
    static let expectedSequence = "Nats-Expected-Last-Subject-Sequence"

    private static func isOwn(_ name: String) -> Bool {
        name == messageID || name == expectedSequence
    }

    private static let order: [String] = {
        let names: [FrameHeaders.Name] = [
            .id, .origin, .type, .version, .key, .hops, .trace, .status,
        ]
        return names.map(\.text)
    }()

    /// Returns the frame of a message.
    static func frame(of message: borrowing IncomingMessage, subject: String) -> BridgeFrame {
        var fields: [FrameHeaders.Field] = []
        fields.reserveCapacity(8)
        // The headers are read by name in order, because this code runs for each frame.
        for name in order {
            if let value = message.header(name) { fields.append(FrameHeaders.Field(name, value)) }
        }
        let own = fields.count
        for name in message.headerNames where !isOwn(name) && !order.contains(name) {
            fields += message.headers(name).map { FrameHeaders.Field(name, $0) }
        }
        if fields.count - own > 1 { fields[own...].sort { $0.name < $1.name } }
        return BridgeFrame(
            subject: subject,
            headers: FrameHeaders(fields),
            body: message.withBody { [UInt8]($0) }
        )
    }

    private static func isBefore(
        _ left: FrameHeaders.Field,
        _ right: FrameHeaders.Field
    ) -> Bool {
        let places = (order.firstIndex(of: left.name), order.firstIndex(of: right.name))
        return switch places {
        case (let left?, let right?): left < right
        case (nil, nil): left.name < right.name
        case (let place, nil): place != nil
        default: false
        }
    }

    /// Reads the header block of a stored message in the server's form.
    static func headers(block: [UInt8]) -> FrameHeaders {
        var fields: [FrameHeaders.Field] = []
        for line in block.split(separator: UInt8(ascii: "\n")).dropFirst() {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let name = String(decoding: line[..<colon], as: UTF8.self)
            let value = line[(colon + 1)...].trimmingPrefix { $0 == UInt8(ascii: " ") }
            let end = value.last == UInt8(ascii: "\r") ? value.endIndex - 1 : value.endIndex
            if !isOwn(name) {
                let value = String(decoding: value[..<end], as: UTF8.self)
                fields.append(FrameHeaders.Field(name, value))
            }
        }
        return FrameHeaders(fields.sorted(by: isBefore))
    }

    /// Returns the message of a frame of at most `largest` bytes, headers included.
    ///
    /// A message for the stream carries an id, by which the stream drops repeats.
    static func message(
        of frame: BridgeFrame,
        reply: String?,
        isForStream: Bool,
        largest: Int
    ) throws(TransportError) -> OutgoingMessage {
        guard isSubject(frame.subject), reply.map(isSubject) ?? true else {
            throw TransportError(.malformed, "A subject has an empty token, a space or a wildcard.")
        }
        var fields = frame.headers.fields
        if isForStream, let id = frame.headers.id { fields.append(.init(messageID, id)) }
        if isForStream, let sequence = frame.headers[.after] {
            fields.append(.init(expectedSequence, sequence))
        }
        var size = frame.body.count + (fields.isEmpty ? 0 : preamble)
        for field in fields {
            guard isHeader(field.name, field.value) else {
                throw TransportError(.malformed, "A header has a line break or no name.")
            }
            size += field.name.utf8.count + field.value.utf8.count + 4
        }
        let block = size - frame.body.count
        guard !isForStream || block <= largestBlock else {
            throw TransportError(
                .tooLarge,
                "The headers have \(block) bytes; a stream accepts \(largestBlock)."
            )
        }
        guard size <= largest else {
            throw TransportError(
                .tooLarge,
                "The frame has \(size) bytes; the server accepts \(largest)."
            )
        }
        do throws(ClientFailure) {
            let message = try OutgoingMessage(
                subject: frame.subject,
                reply: reply,
                body: frame.body
            )
            for field in fields { try message.addHeader(field.name, field.value) }
            return message
        } catch {
            throw TransportError(.malformed, "The frame cannot be encoded.")
        }
    }

    /// The bytes around the headers: `NATS/1.0`, a line break, and the empty line at the end.
    static let preamble = 12

    /// The largest size of all headers of a stored message.
    private static let largestBlock = 65_535

    static func isSubject(_ text: String) -> Bool {
        var isStart = true
        for byte in text.utf8 {
            if byte == UInt8(ascii: ".") {
                if isStart { return false }
                isStart = true
            } else {
                let isWildcard = byte == UInt8(ascii: "*") || byte == UInt8(ascii: ">")
                if byte <= UInt8(ascii: " ") || byte == 0x7F || isWildcard { return false }
                isStart = false
            }
        }
        return !isStart
    }

    private static func isHeader(_ name: String, _ value: String) -> Bool {
        let isName = name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }
        return !name.isEmpty && isName && value.utf8.allSatisfy { $0 != 0 && $0 != 10 && $0 != 13 }
    }
}
#endif
