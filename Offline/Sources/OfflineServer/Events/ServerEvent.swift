// SPDX-License-Identifier: Apache-2.0

/// One encoded server-sent event.
///
/// All clients share the bytes.
struct ServerEvent: Sendable, Equatable {
    /// The subject of an event.
    ///
    /// A client's queue holds only the latest event of each slot.
    struct Slot: Hashable, Sendable {
        /// The kind of the event, or nil for a keep-alive comment.
        let kind: EventKind?
        /// The number of the item, or the index of the post in the activity log, or 0 for other
        /// events.
        let number: Int64
    }

    let slot: Slot
    /// The event in the format `text/event-stream`.
    let bytes: [UInt8]

    /// Encodes an event of this kind with this JSON.
    ///
    /// - Parameters:
    ///   - kind: The kind of the event.
    ///   - number: The number of the item, or the index of the post in the activity log.
    ///   - json: The payload that `EventKind` describes.
    init(_ kind: EventKind, number: Int64 = 0, json: [UInt8]) {
        slot = Slot(kind: kind, number: number)
        let name = kind.rawValue
        var bytes: [UInt8] = []
        bytes.reserveCapacity(json.count + name.utf8.count + 16)
        bytes.append(contentsOf: "event: \(name)\n".utf8)
        // The encoder writes no line breaks, but a line break in the data would start another
        // field.
        for line in json.split(
            omittingEmptySubsequences: false,
            whereSeparator: { $0 == 0x0A || $0 == 0x0D }
        ) {
            bytes.append(contentsOf: "data: ".utf8)
            bytes.append(contentsOf: line)
            bytes.append(0x0A)
        }
        bytes.append(0x0A)
        self.bytes = bytes
    }

    private init(comment: String) {
        slot = Slot(kind: nil, number: 0)
        bytes = [UInt8](": \(comment)\n\n".utf8)
    }

    /// A comment that keeps the connection open and detects a closed one.
    static let keepAlive = ServerEvent(comment: "keep-alive")
}
