// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import Foundation
import Runtime

/// The call stack of the caller, as addresses that are symbolicated later.
struct CallStack: Sendable {
    /// The maximum number of calls, beyond which the outermost are dropped.
    private static let limit = 64

    /// An empty image map.
    ///
    /// Capturing needs no images. Without this value, the runtime would list the images at every
    /// capture. This takes a hundred times longer and reads memory that another thread may unmap.
    private static let noImages = try? JSONDecoder().decode(
        ImageMap.self,
        // Addresses of 8 bytes, the platform Linux, no image.
        from: Data(#""AgVMaW51eAA""#.utf8)
    )

    /// Returns the calls that led here, innermost first, or none if the stack cannot be walked.
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
/// The implementation for other platforms, where call stacks are not captured.
struct CallStack: Sendable {
    func frames() -> [RawCapture.Frame] { [] }
}
#endif
