// SPDX-License-Identifier: Apache-2.0

/// The settings of H.264 pictures that an initialization section states once for all segments.
struct PictureHeader: Hashable {
    /// The number of the track.
    private(set) var track = 0
    /// The sets of parameters that a decoder needs before the first picture.
    private(set) var parameterSets: [[UInt8]] = []
    /// The bytes of the length before each unit of a picture.
    private(set) var lengthSize = 4
    /// The size of a picture in bytes if neither a fragment nor a run states a size.
    private(set) var defaultSize = 0
    /// The flags of a picture if neither a fragment nor a run states flags.
    private(set) var defaultFlags = 0

    private static let sizeLimit: Int64 = 4 << 20
    /// The bytes of a picture format before its boxes.
    private static let formatLength = 78

    /// Reads the header of the first track with pictures at a path.
    ///
    /// The initializer returns nil unless the pictures are H.264 and the segments have no settings
    /// (`avc1`). In other formats, a player follows the settings in the segments.
    init?(path: String) {
        guard let file = try? OwnedDescriptor.reading(path),
            let length = try? file.length(path), length <= Self.sizeLimit,
            let bytes = try? file.bytes(Int(length), path: path),
            let movie = Self.content("moov", in: bytes[...])
        else { return nil }
        for (type, content) in MP4Box.boxes(in: movie) where type == "trak" {
            if read(track: content) { break }
        }
        guard !parameterSets.isEmpty else { return nil }
        readDefaults(movie)
    }

    private mutating func read(track bytes: ArraySlice<UInt8>) -> Bool {
        guard let header = Self.content("tkhd", in: bytes),
            let media = Self.content("mdia", in: bytes),
            let information = Self.content("minf", in: media),
            let table = Self.content("stbl", in: information),
            let descriptions = Self.content("stsd", in: table),
            let format = Self.onlyFormat(descriptions),
            let settings = Self.content("avcC", in: format.dropFirst(Self.formatLength))
        else { return false }
        var fields = MP4Fields(header)
        fields.skip(header.first == 1 ? 20 : 12)
        track = fields.int32() ?? 0
        return read(settings: Array(settings))
    }

    /// Returns the format of a track with only one format.
    ///
    /// A segment can choose between several formats.
    private static func onlyFormat(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let formats = MP4Box.boxes(in: bytes.dropFirst(8))
        guard formats.count == 1, formats[0].type == "avc1" else { return nil }
        return formats[0].content
    }

    private mutating func read(settings: [UInt8]) -> Bool {
        guard settings.count > 6 else { return false }
        lengthSize = Int(settings[4] & 3) + 1
        var position = 5
        for mask: UInt8 in [0x1F, 0xFF] {
            guard position < settings.count else { return false }
            let count = Int(settings[position] & mask)
            position += 1
            for _ in 0..<count {
                guard position + 2 <= settings.count else { return false }
                let start = position + 2
                position = start + Int(settings[position]) << 8 + Int(settings[position + 1])
                guard position <= settings.count else { return false }
                parameterSets.append(Array(settings[start..<position]))
            }
        }
        return true
    }

    private mutating func readDefaults(_ movie: ArraySlice<UInt8>) {
        guard let fragments = Self.content("mvex", in: movie) else { return }
        for (type, content) in MP4Box.boxes(in: fragments) where type == "trex" {
            var fields = MP4Fields(content)
            fields.skip(4)
            guard fields.int32() == track else { continue }
            fields.skip(8)
            defaultSize = fields.int32() ?? 0
            defaultFlags = fields.int32() ?? 0
        }
    }

    private static func content(
        _ type: String,
        in bytes: ArraySlice<UInt8>
    ) -> ArraySlice<UInt8>? {
        MP4Box.boxes(in: bytes).first { $0.type == type }?.content
    }
}
