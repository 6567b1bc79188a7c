// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Remembers what was found: a program fails in the same places again and again, and looking into
/// debug information takes a hundred milliseconds.
final class CachedSymbolicator: Symbolicator {
    /// How many addresses are remembered; then all are forgotten.
    private static let limit = 4_096

    private struct Known {
        var images: ImageList?
        var symbols: [RawCapture.Frame: [Symbol]] = [:]
    }

    private let base: any Symbolicator
    private let known = Lock(Known())

    init(_ base: any Symbolicator) {
        self.base = base
    }

    func captureImages() -> ImageList { base.captureImages() }

    func symbols(of frames: [RawCapture.Frame], images: ImageList) throws -> [[Symbol]] {
        let cached = known.withLock { $0.images == images ? $0.symbols : [:] }
        let missing = Array(Set(frames.filter { cached[$0] == nil }))
        guard !missing.isEmpty else { return frames.map { cached[$0] ?? [] } }
        let found = Dictionary(
            uniqueKeysWithValues: zip(missing, try base.symbols(of: missing, images: images))
        )
        known.withLock { known in
            let isFull = known.symbols.count + found.count > Self.limit
            if known.images != images || isFull { known = Known(images: images) }
            known.symbols.merge(found) { _, new in new }
        }
        return frames.map { cached[$0] ?? found[$0] ?? [] }
    }
}
