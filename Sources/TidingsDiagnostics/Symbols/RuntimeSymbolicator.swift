// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import Foundation
import Runtime

/// Symbolicates with the runtime's own reader of debug information.
///
/// The runtime reads the file at an image's current path without checking it, so this type passes
/// on only files of the same build. If the running executable was replaced, its old file is still
/// available; a replaced library is not.
struct RuntimeSymbolicator: Symbolicator {
    private struct Encoded: Encodable {
        let architecture: String
        let backtrace: String
        let imageMap: String
    }

    func captureImages() -> ImageList { LoadedImages.ofThisProcess() }

    func symbols(of frames: [RawCapture.Frame], images: ImageList) throws -> [[Symbol]] {
        let known = images.images.compactMap { image -> ImageList.Image? in
            guard frames.contains(where: { image.contains($0.address) }),
                let file = OwnProgram.file(of: image)
            else { return nil }
            let (start, end) = (image.start, image.end)
            return ImageList.Image(path: file, start: start, end: end, buildID: image.buildID)
        }
        let asked = frames.indices.filter { index in
            known.contains { $0.contains(frames[index].address) }
        }
        let found = try symbols(of: asked.map { frames[$0] }, known, images.architecture)
        var symbols = [[Symbol]](repeating: [], count: frames.count)
        for (index, found) in zip(asked, found) { symbols[index] = found }
        return symbols
    }

    private func symbols(
        of frames: [RawCapture.Frame],
        _ images: [ImageList.Image],
        _ architecture: String
    ) throws -> [[Symbol]] {
        guard !frames.isEmpty else { return [] }
        let encoded = Encoded(
            architecture: architecture,
            backtrace: CompactBacktrace(frames).text,
            imageMap: CompactImageMap(images).text
        )
        let backtrace = try JSONDecoder().decode(
            Backtrace.self,
            from: JSONEncoder().encode(encoded)
        )
        var groups: [[Symbol]] = [[]]
        for frame in backtrace.symbolicated()?.frames ?? [] {
            if let symbol = Symbol(frame) { groups[groups.count - 1].append(symbol) }
            // Inlined functions precede the function that contains them.
            if !frame.inlined { groups.append([]) }
        }
        groups.removeLast()
        return groups.count == frames.count ? groups : []
    }
}

extension Symbol {
    /// Removes the compiler's prefix for specialized copies of a function.
    fileprivate static func plain(_ name: String) -> String {
        var name = name[...]
        while name.hasPrefix("specialized ") { name = name.dropFirst("specialized ".count) }
        return String(name)
    }

    fileprivate init?(_ frame: SymbolicatedBacktrace.Frame) {
        guard let symbol = frame.symbol, symbol.rawName != "<unknown>" else { return nil }
        // Compiler-generated code has no source location.
        let location = symbol.sourceLocation.flatMap {
            $0.path.hasSuffix("<compiler-generated>") ? nil : $0
        }
        name = Self.plain(symbol.name)
        image = symbol.imageName
        file = location?.path
        line = location.flatMap { $0.line > 0 ? $0.line : nil }
        isInlined = frame.inlined
        isRuntimeFailure = frame.isSwiftRuntimeFailure
        isSystem = frame.isSystem
    }
}
#endif
