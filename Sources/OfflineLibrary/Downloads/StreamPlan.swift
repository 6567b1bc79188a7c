// SPDX-License-Identifier: Apache-2.0
import TidingsHTTP

/// The segments of a media playlist as the registry keeps them.
struct StreamPlan: Hashable, Sendable {
    let segments: [SegmentRecord]

    init(_ playlist: MediaPlaylist) {
        var segments: [SegmentRecord] = []
        if let map = playlist.map {
            segments.append(
                SegmentRecord(
                    number: -1,
                    address: map.address,
                    range: map.range,
                    identity: map.identity.description,
                    key: map.encryption.map(SegmentKey.init)
                )
            )
        }
        for segment in playlist.segments {
            segments.append(
                SegmentRecord(
                    number: segment.index,
                    address: segment.address,
                    range: segment.range,
                    identity: segment.identity.description,
                    key: segment.encryption.map(SegmentKey.init),
                    isDiscontinuity: segment.isDiscontinuity
                )
            )
        }
        self.segments = segments
    }

    /// These segments with the sizes of those that are on disk already.
    ///
    /// The addresses are the new ones: links of an hour ago may have expired.
    ///
    /// - Returns: Nil when the recorded stream is another one, none of whose bytes may be used.
    func keeping(_ recorded: [SegmentRecord]) -> [SegmentRecord]? {
        guard recorded.count == segments.count else { return nil }
        var result = segments
        for (index, old) in recorded.enumerated() {
            guard old.number == segments[index].number,
                old.identity == segments[index].identity
            else { return nil }
            result[index].size = old.size
            result[index].isProven = old.isProven
        }
        return result
    }
}

extension SegmentKey {
    init(_ encryption: Encryption) {
        self.init(address: encryption.keyAddress, iv: encryption.iv)
    }
}
