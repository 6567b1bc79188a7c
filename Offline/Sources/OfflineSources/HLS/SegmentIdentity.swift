// SPDX-License-Identifier: Apache-2.0
import TidingsHTTP

/// The properties of a segment that stay the same when the playlist is fetched again.
///
/// As far as a playlist shows, two segments with equal identities hold the same bytes. The identity
/// excludes the host, which content networks change, and the parts of the query that sign a link
/// and are new each time.
package struct SegmentIdentity: Hashable, Sendable, CustomStringConvertible {
    /// One line of text to store and compare.
    ///
    /// The format is stable across versions.
    package let description: String

    init(address: WebAddress, range: HTTPByteRange?, duration: Double?, iv: [UInt8]?) {
        let part = range.map { "\($0.offset)+\($0.length.map { "\($0)" } ?? "")" } ?? "-"
        let seconds = duration.map { "\($0)" } ?? "-"
        let cipher = iv.map { "AES-128:" + $0.map(Self.hex).joined() } ?? "NONE"
        let query = LinkSignature.unsignedQuery(of: address).map { "?\($0)" } ?? ""
        description = "\(seconds) \(part) \(cipher) \(address.path)\(query)"
    }

    private static func hex(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
}

extension Segment {
    /// The identity by which a resumed download recognizes the segment on the disk.
    package var identity: SegmentIdentity {
        SegmentIdentity(address: address, range: range, duration: duration, iv: encryption?.iv)
    }
}

extension MapSection {
    /// The identity by which a resumed download recognizes the section on the disk.
    package var identity: SegmentIdentity {
        SegmentIdentity(address: address, range: range, duration: nil, iv: encryption?.iv)
    }
}
