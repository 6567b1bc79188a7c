// SPDX-License-Identifier: Apache-2.0

/// The header of a box in an MP4 file.
struct MP4Box {
    /// The type, four characters of Latin 1, such as `©nam`.
    let type: String
    /// The size in bytes with the header, or 0 if the box reaches to the end of the file.
    let size: Int
    /// The size of the header in bytes.
    let headerLength: Int

    /// Parses the header at the start of the bytes, or returns nil if the header is incomplete.
    init?(_ bytes: ArraySlice<UInt8>) {
        var fields = MP4Fields(bytes)
        guard let short = fields.int32(), let type = fields.type() else { return nil }
        self.type = type
        if short == 1 {
            guard let long = fields.int64(), long >= 16 else { return nil }
            size = long
            headerLength = 16
        } else {
            size = short
            headerLength = 8
        }
    }

    /// Returns the boxes that follow each other in the bytes, up to the first damaged box.
    static func boxes(
        in bytes: ArraySlice<UInt8>
    ) -> [(type: String, content: ArraySlice<UInt8>)] {
        var result: [(type: String, content: ArraySlice<UInt8>)] = []
        var rest = bytes
        while let box = MP4Box(rest) {
            let size = box.size == 0 ? rest.count : box.size
            guard size >= box.headerLength, size <= rest.count else { break }
            result.append(
                (box.type, rest.dropFirst(box.headerLength).prefix(size - box.headerLength))
            )
            rest = rest.dropFirst(size)
        }
        return result
    }
}

/// Reads the big-endian fields of a box in order.
struct MP4Fields {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    mutating func skip(_ count: Int) {
        rest = rest.dropFirst(count)
    }

    /// Returns an unsigned number of 32 bits, or nil at the end.
    mutating func int32() -> Int? {
        next(4)?.reduce(0) { $0 << 8 | Int($1) }
    }

    /// Returns a number of 64 bits, or nil at the end and for a number that is negative when
    /// signed.
    mutating func int64() -> Int? {
        next(8).map { $0.reduce(0) { $0 << 8 | Int($1) } }.flatMap { $0 < 0 ? nil : $0 }
    }

    /// Returns the type of a box, or nil at the end.
    mutating func type() -> String? {
        next(4).map { bytes in
            String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        }
    }

    private mutating func next(_ count: Int) -> ArraySlice<UInt8>? {
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}
