// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsLock

@testable import TidingsDiagnostics

private final class CountingSymbolicator: Symbolicator {
    let addresses = Lock<[UInt64]>([])

    func captureImages() -> ImageList { ImageList(architecture: "", images: []) }

    func symbols(of frames: [RawCapture.Frame], images: ImageList) throws -> [[Symbol]] {
        addresses.withLock { $0 += frames.map(\.address).sorted() }
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

@Suite(.timeLimit(.minutes(15)))
struct CachedSymbolicatorTests {
    private let base = CountingSymbolicator()
    private let cache: CachedSymbolicator

    init() {
        cache = CachedSymbolicator(base)
    }

    /// Returns the names of the symbols at these offsets of a program with the given load address.
    private func names(
        _ offsets: [UInt64],
        build: String? = "a",
        path: String = "/films",
        start: UInt64 = 0
    ) throws -> [String] {
        let frames = offsets.map { RawCapture.Frame(address: start + $0, kind: .returns) }
        let image = ImageList.Image(
            path: path,
            start: start,
            end: start + 10_000,
            buildID: build
        )
        let images = ImageList(architecture: build ?? "none", images: [image])
        return try cache.symbols(of: frames, images: images).flatMap { $0.map(\.name) }
    }

    @Test func anAddressIsSymbolicatedOnce() throws {
        #expect(try names([3, 1, 3]) == ["3 a", "1 a", "3 a"])
        #expect(try names([1, 2]) == ["1 a", "2 a"])
        #expect(base.addresses.withLock { $0 } == [1, 3, 2])
    }

    @Test func theLoadAddressMakesNoDifference() throws {
        _ = try names([7])
        #expect(try names([7, 8], start: 1 << 40) == ["7 a", "\(1 << 40 + 8) a"])
    }

    @Test func anotherBuildOrFileIsSymbolicatedAgain() throws {
        _ = try names([1])
        #expect(try names([1], build: "b") == ["1 b"])
        _ = try names([1], path: "/other")
        #expect(try names([1]) == ["1 a"])
        #expect(base.addresses.withLock { $0 } == [1, 1, 1])
    }

    @Test func imagesWithoutABuildIDAreNotCached() throws {
        for _ in 1...2 { #expect(try names([1], build: nil) == ["1 none"]) }
        #expect(base.addresses.withLock { $0 } == [1, 1])
    }

    @Test func aFullCacheIsEmptied() throws {
        _ = try names(Array(0..<4_000))
        _ = try names(Array(4_000..<8_000))
        #expect(try names([5, 7_000]) == ["5 a", "7000 a"])
        #expect(base.addresses.withLock { $0.count } == 8_001)
    }
}
