// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings

@testable import TidingsDiagnostics

private final class CountingSymbolicator: Symbolicator {
    let asked = Lock<[UInt64]>([])

    func captureImages() -> ImageList { ImageList(architecture: "", images: []) }

    func symbols(of frames: [RawCapture.Frame], images: ImageList) throws -> [[Symbol]] {
        asked.withLock { $0 += frames.map(\.address).sorted() }
        return frames.map { frame in
            [
                Symbol(
                    name: "\(frame.address) \(images.architecture)",
                    image: "",
                    file: nil,
                    line: nil,
                    isInlined: false,
                    isRuntimeFailure: false,
                    isSystem: false
                )
            ]
        }
    }
}

@Suite(.timeLimit(.minutes(5)))
struct CachedSymbolicatorTests {
    private let base = CountingSymbolicator()

    private func names(
        _ addresses: [UInt64],
        of cache: CachedSymbolicator,
        _ build: String
    ) throws
        -> [String]
    {
        let frames = addresses.map { RawCapture.Frame(address: $0, kind: .returns) }
        let images = ImageList(architecture: build, images: [])
        return try cache.symbols(of: frames, images: images).flatMap { $0.map(\.name) }
    }

    @Test func anAddressIsLookedForOnce() throws {
        let cache = CachedSymbolicator(base)
        #expect(try names([3, 1, 3], of: cache, "a") == ["3 a", "1 a", "3 a"])
        #expect(try names([1, 2], of: cache, "a") == ["1 a", "2 a"])
        #expect(base.asked.withLock { $0 } == [1, 3, 2])
    }

    @Test func whatIsLoadedNowIsLookedForAnew() throws {
        let cache = CachedSymbolicator(base)
        _ = try names([1], of: cache, "a")
        #expect(try names([1], of: cache, "b") == ["1 b"])
        #expect(try names([1], of: cache, "a") == ["1 a"])
    }

    @Test func aCacheThatIsFullBeginsAnew() throws {
        let cache = CachedSymbolicator(base)
        _ = try names(Array(0..<4_000), of: cache, "a")
        _ = try names(Array(4_000..<8_000), of: cache, "a")
        #expect(try names([5, 7_000], of: cache, "a") == ["5 a", "7000 a"])
        #expect(base.asked.withLock { $0.count } == 8_001)
    }
}
