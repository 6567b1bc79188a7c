// SPDX-License-Identifier: Apache-2.0
import TidingsHTTP

/// What stays the same about a segment when its playlist is fetched again.
///
/// Two segments with equal identities hold the same bytes as far as a playlist can tell. Host and
/// query are left out: networks answer with another host, and links are signed anew each time.
package struct SegmentIdentity: Hashable, Sendable, CustomStringConvertible {
    /// One line of text to store and compare; its form does not change between versions.
    package let description: String

    init(path: String, range: HTTPByteRange?, duration: Double?, iv: [UInt8]?) {
        let part = range.map { "\($0.offset)+\($0.length.map { "\($0)" } ?? "")" } ?? "-"
        let seconds = duration.map { "\($0)" } ?? "-"
        let cipher = iv.map { "AES-128:" + $0.map(Self.hex).joined() } ?? "NONE"
        description = "\(seconds) \(part) \(cipher) \(path)"
    }

    private static func hex(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
}

extension Segment {
    /// What a resumed download compares to know that the segment on the disk is still this one.
    package var identity: SegmentIdentity {
        SegmentIdentity(
            path: address.path,
            range: range,
            duration: duration,
            iv: encryption?.iv
        )
    }
}

extension MapSection {
    /// What a resumed download compares to know that the section on the disk is still this one.
    package var identity: SegmentIdentity {
        SegmentIdentity(path: address.path, range: range, duration: nil, iv: encryption?.iv)
    }
}
