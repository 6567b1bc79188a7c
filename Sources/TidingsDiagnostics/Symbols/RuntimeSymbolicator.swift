// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import Foundation
import Runtime

/// Symbols by the runtime's own reader of debug information.
///
/// The runtime looks at the file that lies at an image's path now and asks nothing about it;
/// what it says of a file that is another build is thrown away here.
struct RuntimeSymbolicator: Symbolicator {
    private struct Encoded: Encodable {
        let architecture: String
        let backtrace: String
        let imageMap: String
    }

    func captureImages() throws -> ImageList {
        let map = ImageMap.capture()
        let encoded = try JSONDecoder().decode(String.self, from: JSONEncoder().encode(map))
        let architecture = try Backtrace.capture(limit: 1, images: map).architecture
        let images = map.compactMap { image -> ImageList.Image? in
            guard let start = UInt64(image.baseAddress), let end = UInt64(image.endOfText) else {
                return nil
            }
            return ImageList.Image(
                name: image.name ?? "",
                path: image.path ?? "",
                start: start,
                end: end,
                buildID: image.uniqueID.map { Self.text(of: $0) }
            )
        }
        return ImageList(architecture: architecture, images: images, encoded: encoded)
    }

    func symbols(of frames: [RawCapture.Frame], images: ImageList) throws -> [[Symbol]] {
        let isSame = images.images.map { Self.isSameBuild($0) }
        return try frames.map { frame in
            guard let index = images.images.firstIndex(where: { $0.contains(frame.address) }),
                isSame[index]
            else { return [] }
            return try symbols(of: frame, images)
        }
    }

    private func symbols(of frame: RawCapture.Frame, _ images: ImageList) throws -> [Symbol] {
        let encoded = Encoded(
            architecture: images.architecture,
            backtrace: CompactBacktrace([frame]).text,
            imageMap: images.encoded
        )
        let backtrace = try JSONDecoder().decode(
            Backtrace.self,
            from: JSONEncoder().encode(encoded)
        )
        let found = backtrace.symbolicated()?.frames ?? []
        return found.compactMap { found in
            guard let symbol = found.symbol, symbol.rawName != "<unknown>" else { return nil }
            let location = symbol.sourceLocation
            return Symbol(
                name: symbol.name,
                image: symbol.imageName,
                file: location?.path,
                line: location.flatMap { $0.line > 0 ? $0.line : nil },
                isInlined: found.inlined,
                isRuntimeFailure: found.isSwiftRuntimeFailure,
                isSystem: found.isSystem
            )
        }
    }

    private static func isSameBuild(_ image: ImageList.Image) -> Bool {
        guard let known = image.buildID, let now = BuildID.ofFile(image.path) else { return false }
        return text(of: now) == known
    }

    private static func text(of bytes: [UInt8]) -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0" + digits : digits
        }.joined()
    }
}

extension ImageList.Image {
    fileprivate func contains(_ address: UInt64) -> Bool { address >= start && address < end }
}
#endif
