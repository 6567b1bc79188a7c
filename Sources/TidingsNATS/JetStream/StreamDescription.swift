// SPDX-License-Identifier: Apache-2.0
#if NATS
internal import TidingsBridge

/// The settings of a stream, in the server's terms.
struct StreamSettings: Codable, Equatable {
    var name: String
    var subjects: [String]?
    var retention: String?
    var storage: String?
    var discard: String?
    var numReplicas: Int?
    var maxBytes: Int?
    var maxAge: Int64?
    var duplicateWindow: Int64?
    var noAck: Bool?
    var sealed: Bool?

    /// Creates the settings of a new stream.
    init(space: String, _ settings: NATSConfiguration.Stream) {
        name = space
        subjects = ["\(space).>"]
        retention = "limits"
        storage = "file"
        discard = settings.dropsOldest ? "old" : "new"
        numReplicas = settings.replicas
        maxBytes = settings.largestSize ?? -1
        maxAge = settings.oldestAge?.nanoseconds ?? 0
        duplicateWindow = settings.duplicateWindow.nanoseconds
    }

    /// Returns the names of the settings that the server has ignored or changed.
    func differences(from answer: StreamSettings) -> [String] {
        var names: [String] = []
        if subjects != answer.subjects { names.append("subjects") }
        if retention != answer.retention { names.append("retention") }
        if storage != answer.storage { names.append("storage") }
        if discard != answer.discard { names.append("discard") }
        if numReplicas != answer.numReplicas { names.append("num_replicas") }
        if maxBytes != answer.maxBytes { names.append("max_bytes") }
        if maxAge != answer.maxAge { names.append("max_age") }
        if duplicateWindow != answer.duplicateWindow { names.append("duplicate_window") }
        return names
    }

    /// Returns the reason why a stream cannot carry a space, or nil if it can.
    func fault(for space: String) -> String? {
        if subjects?.contains("\(space).>") != true { return "it lacks the subjects \(space).>" }
        if retention != "limits" { return "its retention is not “limits”" }
        if noAck == true { return "it acknowledges nothing" }
        if sealed == true { return "it is sealed" }
        return nil
    }

    /// The place of a frame after the acknowledgement.
    var acknowledgement: AcknowledgementMeaning {
        if let numReplicas, numReplicas > 1 { return .replicated(numReplicas) }
        return storage == "memory" ? .serverMemory : .serverPageCache
    }
}

/// A stream in the server's description.
struct StreamDescription: Decodable {
    struct Extent: Decodable {
        let messages: UInt64
        let firstSeq: UInt64
        let lastSeq: UInt64
    }

    let config: StreamSettings
    let created: String
    let state: Extent

    var streamState: StreamState {
        StreamState(
            name: config.name,
            incarnation: created,
            // A server may report 0 for a stream that never had a message.
            first: state.messages == 0 ? state.lastSeq &+ 1 : state.firstSeq,
            last: state.lastSeq
        )
    }
}
#endif
