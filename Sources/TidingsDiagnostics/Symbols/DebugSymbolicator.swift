// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import Foundation
import Runtime

/// Symbolicates with the debug information of the files, which are mapped only while being read.
///
/// The symbolicator reads only files of the same build. The old file of a replaced running
/// executable is still available, but the old file of a replaced library is not.
struct DebugSymbolicator: Symbolicator {
    /// Returns the file with the symbols of an image, or nil if no such file exists.
    var file: @Sendable (ImageList.Image) -> String? = { OwnProgram.file(of: $0) }

    func captureImages() -> ImageList { LoadedImages.ofThisProcess() }

    func symbols(of frames: [RawCapture.Frame], images: ImageList) -> [[Symbol]] {
        var symbols = [[Symbol]](repeating: [], count: frames.count)
        for image in images.images {
            let indices = frames.indices.filter { image.contains(frames[$0].address) }
            guard !indices.isEmpty, let path = self.file(image),
                let file = ProgramFile(path)
            else { continue }
            let places = indices.map { frames[$0].place(in: image, from: file.start) }
            for (index, found) in zip(indices, file.functions(at: places)) {
                symbols[index] = found.map { Symbol($0, image: image.name) }
            }
        }
        return symbols
    }
}

extension RawCapture.Frame {
    /// Returns the address of the call in the file.
    ///
    /// The file expects its first byte at `start`.
    fileprivate func place(in image: ImageList.Image, from start: UInt64) -> UInt64 {
        // A call returns to the next instruction, which may belong to another line or function. No
        // call precedes the first byte.
        let offset = address - image.start
        return start &+ (kind == .returns && offset > 0 ? offset - 1 : offset)
    }
}

extension ProgramFile {
    /// Returns the functions at each address, innermost first.
    fileprivate func functions(at places: [UInt64]) -> [[DebugInformation.Function]] {
        let addresses = AddressSet(places)
        let found = withSections { DebugInformation($0).functions(at: addresses) }
        return places.map { place in
            // No function ends behind the last address.
            if place == .max { return [] }
            return found[addresses.indices(in: place..<(place &+ 1)).lowerBound]
        }
    }
}

extension Symbol {
    fileprivate init(_ function: DebugInformation.Function, image: String) {
        // The runtime demangles names.
        let symbol = SymbolicatedBacktrace.Symbol(
            imageIndex: 0,
            imageName: image,
            rawName: function.name,
            offset: 0,
            sourceLocation: nil
        )
        // Compiler-generated code has no source location.
        let isGenerated = function.file?.hasSuffix("<compiler-generated>") ?? false
        name = Self.plain(symbol.name)
        self.image = image
        file = isGenerated ? nil : function.file
        line = isGenerated ? nil : function.line
        isInlined = function.isInlined
        isRuntimeFailure = isInlined && name.hasPrefix("Swift runtime failure: ")
        isSystem =
            symbol.isSystemFunction || isGenerated || RuntimeName.contains(function.name)
        isAsynchronous = Self.isAsynchronous(function.name)
    }

    /// Whether a mangled name belongs to an asynchronous function or to a part behind a suspension.
    private static func isAsynchronous(_ name: String) -> Bool {
        guard name.hasPrefix("$s") || name.hasPrefix("_$s") else { return false }
        let stem = name.utf8.last == UInt8(ascii: "_") ? name.dropLast() : name[...]
        let part = stem.reversed().drop { $0.isNumber }.prefix(2)
        return ["QT", "YT"].contains(String(part)) || name.contains("Ya")
    }

    /// Removes the compiler's prefix for specialized copies of a function.
    private static func plain(_ name: String) -> String {
        var name = name[...]
        while name.hasPrefix("specialized ") { name = name.dropFirst("specialized ".count) }
        return String(name)
    }
}
#endif
