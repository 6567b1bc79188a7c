// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// Caches symbols by place.
///
/// A program fails in the same places repeatedly, in this run and earlier runs, and reading debug
/// information takes a hundred milliseconds.
final class CachedSymbolicator: Symbolicator {
    /// The maximum number of cached places, beyond which the cache is emptied.
    private static let limit = 4_096

    /// A place in a build of a file, independent of the load address.
    private struct Place: Hashable {
        let path: String
        let buildID: String
        let offset: UInt64
        let kind: RawCapture.FrameKind

        init?(_ frame: RawCapture.Frame, in images: ImageList) {
            guard let image = images.image(at: frame.address), let buildID = image.buildID else {
                return nil
            }
            (path, self.buildID) = (image.path, buildID)
            (offset, kind) = (frame.address - image.start, frame.kind)
        }
    }

    private let base: any Symbolicator
    private let cache = Lock<[Place: [Symbol]]>([:])

    init(_ base: any Symbolicator) {
        self.base = base
    }

    func captureImages() -> ImageList { base.captureImages() }

    func symbols(of frames: [RawCapture.Frame], images: ImageList) throws -> [[Symbol]] {
        let places = frames.map { Place($0, in: images) }
        let cached = cache.withLock { cache in places.map { $0.flatMap { cache[$0] } } }
        let missing = Array(Set(zip(frames, cached).filter { $1 == nil }.map(\.0)))
        guard !missing.isEmpty else { return cached.map { $0 ?? [] } }
        let found = Dictionary(
            uniqueKeysWithValues: zip(missing, try base.symbols(of: missing, images: images))
        )
        keep(found, images)
        return zip(frames, cached).map { $1 ?? found[$0] ?? [] }
    }

    /// Caches only places with symbols, because a missing file may become available later.
    private func keep(_ found: [RawCapture.Frame: [Symbol]], _ images: ImageList) {
        let named = found.filter { !$0.value.isEmpty }.compactMap { frame, symbols in
            Place(frame, in: images).map { ($0, symbols) }
        }
        cache.withLock { cache in
            if cache.count + named.count > Self.limit { cache = [:] }
            cache.merge(named) { _, new in new }
        }
    }
}
