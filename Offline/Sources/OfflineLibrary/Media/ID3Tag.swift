// SPDX-License-Identifier: Apache-2.0

/// The metadata tag before packed audio.
enum ID3Tag {
    /// The length of a tag's header in bytes.
    static let headerLength = 10

    /// Returns the length in bytes of the tag at the start, or nil if there is none.
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
}
