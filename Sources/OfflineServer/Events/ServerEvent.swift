// SPDX-License-Identifier: Apache-2.0

/// One thing that the page is told, already encoded, so that a thousand clients share its bytes.
struct ServerEvent: Sendable, Equatable {
    /// What the event is about; of each slot a client keeps only the latest.
    enum Slot: Hashable, Sendable {
        case hello
        case items
        case item(String)
        case progress(String)
        case removed(String)
        case notifications
        case reports
        case preferences
        case queue
        case connectivity
        case catalogue
        case activity
        /// A post, by its place among those that are kept.
        case post(Int)
        case keepAlive
    }

    let slot: Slot
    /// The event in the format of `text/event-stream`.
    let bytes: [UInt8]

    /// Makes an event of a name and its JSON.
    init(_ slot: Slot, name: String, json: [UInt8]) {
        self.slot = slot
        var bytes: [UInt8] = []
        bytes.reserveCapacity(json.count + name.utf8.count + 16)
        bytes.append(contentsOf: "event: \(name)\n".utf8)
        // JSON from the encoder has no line ends; a line end in data would begin a new field.
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

    private init(slot: Slot, bytes: [UInt8]) {
        self.slot = slot
        self.bytes = bytes
    }

    /// A comment, which keeps the line open and finds clients that have gone.
    static let keepAlive = ServerEvent(slot: .keepAlive, bytes: [UInt8](": keep-alive\n\n".utf8))
}
