// SPDX-License-Identifier: Apache-2.0

/// Finds the segments of MP4 fragments whose pictures have another encoding than the initialization
/// section states.
///
/// No box of the segments shows this difference.
///
/// The check decodes the first key picture of a few segments, each by itself, and looks at more
/// segments only around a segment that cannot be decoded. The check covers only H.264, because a
/// decoder of H.265 returns pictures of another size without an error, and other formats state the
/// size in each picture.
package struct EncodingCheck {
    /// The path of the initialization section.
    let header: String
    /// The path of the first segment after the initialization section.
    ///
    /// This segment is the measure. If the decoder fails with this segment, the decoder may lack
    /// the format.
    let first: String
    /// The paths of the segments in order.
    let segments: [String]
    /// The numbers of the segments to decode first, in order.
    let samples: [Int]

    /// Creates a check.
    package init(header: String, first: String, segments: [String], samples: [Int]) {
        self.header = header
        self.first = first
        self.segments = segments
        self.samples = samples
    }

    /// The size in bytes of the sampled pictures at which sampling stops.
    ///
    /// A decoder needs more memory than this in any case.
    private static let byteLimit = 32 << 20

    /// Returns the numbers of the segments whose pictures cannot be decoded.
    ///
    /// - Throws: `.cancelled` or `.toolMissing`.
    package func run() async throws(MediaError) -> [Int] {
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

    /// Decodes the samples one by one, and then searches between two samples with different
    /// results.
    private func search(
        _ reader: KeyPictureReader,
        _ decoder: PictureDecoder
    ) async throws(MediaError) -> [Int] {
        var known: [Int: Bool] = [:]
        for number in samples {
            known[number] = try await canDecode(number, from: reader, by: decoder)
        }
        for (low, high) in zip(samples, samples.dropFirst()) {
            var ranges = [(low, high)]
            while let (low, high) = ranges.popLast() {
                guard high - low > 1, known[low] != known[high] else { continue }
                let middle = (low + high) / 2
                known[middle] = try await canDecode(middle, from: reader, by: decoder)
                ranges += [(low, middle), (middle, high)]
            }
        }
        var isReadable = true
        return segments.indices.filter { number in
            isReadable = known[number] ?? isReadable
            return !isReadable
        }
    }

    /// Returns whether the segment can be decoded, or nil if nothing shows this.
    private func canDecode(
        _ number: Int,
        from reader: KeyPictureReader,
        by decoder: PictureDecoder
    ) async throws(MediaError) -> Bool? {
        guard let picture = reader.slices(segments[number]) else { return nil }
        return try await decoder.canDecode([picture])
    }
}
