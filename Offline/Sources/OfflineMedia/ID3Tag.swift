// SPDX-License-Identifier: Apache-2.0

/// The metadata tag before packed audio.
package enum ID3Tag {
    /// The length of a tag's header in bytes.
    static let headerLength = 10

    /// Returns the length in bytes of the tag at the start, or nil without a tag.
    static func length(_ bytes: some Collection<UInt8>) -> Int? {
        let header = Array(bytes.prefix(headerLength))
        guard
            header.count == headerLength, header.starts(with: "ID3".utf8),
            header[6...].allSatisfy({ $0 < 0x80 })
        else { return nil }
        let body = header[6...].reduce(0) { $0 << 7 | Int($1) }
        let footer = header[5] & 0x10 == 0 ? 0 : headerLength
        return headerLength + body + footer
    }

    /// Returns the time in seconds at which the audio after the tags plays, or nil if no tag states
    /// the time.
    package static func startTime(_ bytes: some Collection<UInt8>) -> Double? {
        var tags = 0
        while let length = length(bytes.dropFirst(tags)) { tags += length }
        let tag = Array(bytes.prefix(tags))
        let owner = Array("com.apple.streaming.transportStreamTimestamp\0".utf8)
        guard let place = tag.firstRange(of: owner), place.upperBound + 8 <= tag.count else {
            return nil
        }
        let ticks = tag[place.upperBound..<place.upperBound + 8].reduce(UInt64(0)) {
            $0 << 8 | UInt64($1)
        }
        return Double(ticks & 0x1_ffff_ffff) / 90_000
    }
}
