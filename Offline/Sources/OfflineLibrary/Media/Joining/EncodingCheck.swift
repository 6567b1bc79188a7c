// SPDX-License-Identifier: Apache-2.0

/// Finds the segments of MP4 fragments whose pictures are of another encoding than their
/// initialization section states, which no box of them shows.
///
/// It decodes the first key picture of a few segments, each by itself, and looks at more segments
/// only around one that cannot be decoded. Only H.264 is checked: a decoder of H.265 returns
/// pictures of another size without an error, and other formats state their size in each picture.
struct EncodingCheck {
    /// The path of the initialization section.
    let header: String
    /// The path of the first segment after it, which is the measure: if it cannot be decoded, the
    /// decoder may lack the format.
    let first: String
    /// The paths of the segments in order.
    let segments: [String]
    /// The numbers of the segments to decode first, in order.
    let samples: [Int]

    /// Less than a decoder needs memory for in any case.
    private static let byteLimit = 32 << 20

    /// Returns the numbers of the segments whose pictures cannot be decoded.
    ///
    /// - Throws: `.cancelled` or `.toolMissing`.
    func run() async throws(MediaError) -> [Int] {
        guard let header = PictureHeader(path: header) else { return [] }
        let reader = KeyPictureReader(header: header)
        let decoder = PictureDecoder(parameterSets: header.parameterSets)
        guard let first = reader.slices(first) else { return [] }
        var pictures = [first]
        var bytes = 0
        for number in samples where bytes < Self.byteLimit {
            guard let picture = reader.slices(segments[number]) else { continue }
            bytes += picture.reduce(0) { $0 + $1.count }
            pictures.append(picture)
        }
        guard try await decoder.canDecode(pictures) == false,
            try await decoder.canDecode([first]) == true
        else { return [] }
        return try await search(reader, decoder)
    }

    /// Decodes the samples one by one, and then the segments between two that differ.
    private func search(
        _ reader: KeyPictureReader,
        _ decoder: PictureDecoder
    ) async throws(MediaError) -> [Int] {
        var known: [Int: Bool] = [:]
        for number in samples {
            known[number] = try await canDecode(number, reader, decoder)
        }
        for (low, high) in zip(samples, samples.dropFirst()) {
            var ranges = [(low, high)]
            while let (low, high) = ranges.popLast() {
                guard high - low > 1, known[low] != known[high] else { continue }
                let middle = (low + high) / 2
                known[middle] = try await canDecode(middle, reader, decoder)
                ranges += [(low, middle), (middle, high)]
            }
        }
        var isReadable = true
        return segments.indices.filter { number in
            isReadable = known[number] ?? isReadable
            return !isReadable
        }
    }

    /// Returns whether the segment can be decoded; nil if nothing shows it.
    private func canDecode(
        _ number: Int,
        _ reader: KeyPictureReader,
        _ decoder: PictureDecoder
    ) async throws(MediaError) -> Bool? {
        guard let picture = reader.slices(segments[number]) else { return nil }
        return try await decoder.canDecode([picture])
    }
}
