// SPDX-License-Identifier: Apache-2.0

/// Reads from MP4 fragments the first picture that needs no other picture.
///
/// In bytes of an unknown format, the reader finds nothing.
struct KeyPictureReader {
    /// The settings of the pictures.
    let header: PictureHeader

    private static let headerLimit = 16 << 20
    private static let pictureLimit = 8 << 20
    private static let boxLimit = 10_000
    /// The flag of a picture that needs another picture.
    private static let dependent = 0x1_0000

    /// The place of a picture in a file.
    private struct Place {
        var offset: Int
        var size: Int
    }

    /// Returns the slices of the first key picture in the segment at a path, each without the
    /// length field.
    ///
    /// - Returns: The slices, or nil without a picture that can be decoded alone with the settings
    ///   of the header. Such a picture is marked as a key picture, consists only of slices of key
    ///   pictures, and brings no settings along.
    func slices(_ path: String) -> [[UInt8]]? {
        guard let file = try? OwnedDescriptor.reading(path),
            let length = (try? file.length(path)).map(Int.init),
            let place = place(in: file, length, path), place.size <= Self.pictureLimit,
            place.offset >= 0, place.offset + place.size <= length
        else { return nil }
        file.seek(to: place.offset)
        return (try? file.bytes(place.size, path: path)).flatMap(slices)
    }

    private func place(in file: OwnedDescriptor, _ length: Int, _ path: String) -> Place? {
        var position = 0
        for _ in 0..<Self.boxLimit where position + 8 <= length {
            file.seek(to: position)
            guard let bytes = try? file.bytes(16, path: path), let box = MP4Box(bytes[...])
            else { return nil }
            let size = box.size == 0 ? length - position : box.size
            guard size >= box.headerLength, size <= length - position else { return nil }
            if box.type == "moof" {
                guard size <= Self.headerLimit else { return nil }
                file.seek(to: position + box.headerLength)
                guard let content = try? file.bytes(size - box.headerLength, path: path)
                else { return nil }
                if let place = place(inFragment: content[...], at: position) { return place }
            }
            position += size
        }
        return nil
    }

    private func place(inFragment bytes: ArraySlice<UInt8>, at start: Int) -> Place? {
        let tracks = MP4Box.boxes(in: bytes).filter { $0.type == "traf" }
        for (number, track) in tracks.enumerated() {
            guard var place = place(inTrack: track.content, isFirst: number == 0) else { continue }
            place.offset += start
            return place
        }
        return nil
    }

    /// Returns the place of the first key picture of a track, from the start of the fragment.
    private func place(inTrack bytes: ArraySlice<UInt8>, isFirst: Bool) -> Place? {
        var (size, flags) = (header.defaultSize, header.defaultFlags)
        for (type, content) in MP4Box.boxes(in: bytes) {
            var fields = MP4Fields(content)
            if type == "tfhd" {
                let options = fields.int32() ?? 0
                // A fragment can state the place of the bytes in several ways, but only this way is
                // common.
                guard fields.int32() == header.track, options & 0x1 == 0,
                    isFirst || options & 0x2_0000 != 0
                else { return nil }
                fields.skip((options & 0x2 == 0 ? 0 : 4) + (options & 0x8 == 0 ? 0 : 4))
                if options & 0x10 != 0 { size = fields.int32() ?? 0 }
                if options & 0x20 != 0 { flags = fields.int32() ?? 0 }
            } else if type == "trun", let place = place(inRun: &fields, size, flags) {
                return place
            }
        }
        return nil
    }

    private func place(inRun fields: inout MP4Fields, _ size: Int, _ flags: Int) -> Place? {
        guard let options = fields.int32(), let count = fields.int32(), options & 0x1 != 0,
            var offset = fields.int32()
        else { return nil }
        let first = options & 0x4 == 0 ? nil : fields.int32()
        for number in 0..<count {
            fields.skip(options & 0x100 == 0 ? 0 : 4)
            guard let size = options & 0x200 == 0 ? size : fields.int32(),
                let own = options & 0x400 == 0 ? flags : fields.int32()
            else { return nil }
            fields.skip(options & 0x800 == 0 ? 0 : 4)
            if (number == 0 ? first ?? own : own) & Self.dependent == 0 {
                return Place(offset: offset, size: size)
            }
            offset += size
        }
        return nil
    }

    /// Divides a picture into slices, or returns nil if the picture has slices of other kinds than
    /// a key picture.
    private func slices(_ picture: [UInt8]) -> [[UInt8]]? {
        var rest = picture[...]
        var slices: [[UInt8]] = []
        while !rest.isEmpty {
            let size = rest.prefix(header.lengthSize).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(header.lengthSize)
            guard size > 0, size <= rest.count, let first = rest.first else { return nil }
            switch first & 0x1F {
            case 5: slices.append(Array(rest.prefix(size)))
            case 6, 9, 12: break  // Messages, a delimiter and padding.
            default: return nil
            }
            rest = rest.dropFirst(size)
        }
        return slices.isEmpty ? nil : slices
    }
}
