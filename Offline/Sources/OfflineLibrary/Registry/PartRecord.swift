// SPDX-License-Identifier: Apache-2.0

/// The place of a part in an item.
struct PartID: Hashable, Sendable {
    /// The index of the track, from 0.
    let track: Int
    /// The index of the part in its track, from 0.
    let number: Int
}

/// The registry's record of a part.
struct PartRecord: Hashable, Sendable {
    let id: PartID
    var part: Part
    /// The name of the part's file, which consists of fixed words and numbers.
    let fileName: String
    /// The number of bytes on disk; nil until the part is complete.
    var size: Int64?
    /// Whether the server announced the received length.
    ///
    /// Otherwise only the end of the connection marked the end of the part.
    var isProven = false
    /// The server's name for the version of the file that holds the part; nil if it sent none.
    var validator: String?
    /// Whether the last plan has another query in the part's address; not stored.
    var hasOtherQuery = false
    /// Whether a person has replaced the address of the media since the part arrived, so that its
    /// validator is the name that another server gave; not stored.
    var hasOtherAddress = false

    /// Whether the part must still be fetched.
    var isOutstanding: Bool { size == nil && !part.isGap }

    /// Returns whether the part belongs to one of the tracks with subtitles.
    func isText(in tracks: [TrackDescription]) -> Bool {
        tracks.indices.contains(id.track) && tracks[id.track].content == .subtitles
    }

    /// Creates the record of a part that is not on disk.
    init(_ id: PartID, _ part: Part) {
        self.init(id, part, fileName: "\(id.track)-\(id.number)")
    }

    /// Creates a record of the registry.
    init(
        _ id: PartID,
        _ part: Part,
        fileName: String,
        size: Int64? = nil,
        isProven: Bool = false,
        validator: String? = nil
    ) {
        self.id = id
        self.part = part
        self.fileName = fileName
        self.size = size
        self.isProven = isProven
        self.validator = validator
    }
}
