// SPDX-License-Identifier: Apache-2.0
package import OfflineModel

/// The place of a part in an item.
package struct PartID: Hashable, Sendable {
    /// The index of the track, from 0.
    package let track: Int
    /// The index of the part in its track, from 0.
    package let number: Int

    /// Creates an identifier.
    package init(track: Int, number: Int) {
        self.track = track
        self.number = number
    }
}

/// The registry's record of a part.
package struct PartRecord: Hashable, Sendable {
    /// The track of the part, and the number in the track.
    package let id: PartID
    /// The part of the plan.
    package var part: Part
    /// The name of the part's file, which consists of fixed words and numbers.
    package let fileName: String
    /// The number of bytes on disk, or nil until the part is complete.
    package var size: Int64?
    /// Whether the server announced the received length.
    ///
    /// Otherwise only the end of the connection marked the end of the part.
    package var isProven = false
    /// The server's name for the version of the file that holds the part, or nil if the server sent
    /// none.
    package var validator: String?
    /// Whether the last plan has another query in the part's address.
    ///
    /// This value is not stored.
    package var hasOtherQuery = false
    /// Whether the user has replaced the address of the media since the part arrived.
    ///
    /// The validator is then a name from another server. This value is not stored.
    package var hasOtherAddress = false

    /// Whether the part must still be fetched.
    package var isOutstanding: Bool { size == nil && !part.isGap }

    /// Returns whether the part belongs to one of the tracks with subtitles.
    package func isText(in tracks: [TrackDescription]) -> Bool {
        tracks.indices.contains(id.track) && tracks[id.track].content == .subtitles
    }

    /// Creates the record of a part that is not on disk.
    package init(_ id: PartID, _ part: Part) {
        self.init(id, part, fileName: "\(id.track)-\(id.number)")
    }

    /// Creates a record of the registry.
    package init(
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
