// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import Foundation
import Runtime

/// Where the program is, as addresses; their names are found later and elsewhere.
struct CallStack: Sendable {
    /// How many calls are kept; the outermost go.
    private static let limit = 64

    /// No images at all.
    ///
    /// Nothing here needs them, and the runtime would look for them at every capture, which takes
    /// a hundred times longer and reads memory that may just go.
    private static let noImages = try? JSONDecoder().decode(
        ImageMap.self,
        from: JSONEncoder().encode(CompactImageMap([]).text)
    )

    /// The calls that led here, the innermost first; empty where the stack cannot be walked.
    @inline(never)
    func frames() -> [RawCapture.Frame] {
        guard let images = Self.noImages,
            let backtrace = try? Backtrace.capture(
                limit: Self.limit,
                offset: 1,
                top: 0,
                images: images
            )
        else { return [] }
        return backtrace.frames.compactMap { frame in
            switch frame {
            case .programCounter(let address): Self.frame(address, .counter)
            case .returnAddress(let address): Self.frame(address, .returns)
            case .asyncResumePoint(let address): Self.frame(address, .resumes)
            default: nil
            }
        }
    }

    private static func frame(
        _ address: Backtrace.Address,
        _ kind: RawCapture.FrameKind
    ) -> RawCapture.Frame? {
        UInt64(address).map { RawCapture.Frame(address: $0, kind: kind) }
    }
}
#else
/// The calls that led to an error are known on Linux only.
struct CallStack: Sendable {
    func frames() -> [RawCapture.Frame] { [] }
}
#endif
