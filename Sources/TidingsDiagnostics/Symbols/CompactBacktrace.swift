// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Encodes addresses in the format of the runtime's `Backtrace`.
///
/// The first byte gives the width of addresses. Each frame is a byte with its kind and the number
/// of following bytes minus one, and then the big-endian difference from the previous address. A
/// zero byte ends the list.
struct CompactBacktrace {
    private static let wide: UInt8 = 2

    private(set) var bytes: [UInt8] = [wide]
    private var last: UInt64 = 0

    init(_ frames: [RawCapture.Frame]) {
        for frame in frames { append(frame) }
        bytes.append(0)
    }

    private mutating func append(_ frame: RawCapture.Frame) {
        let kind: UInt8 =
            switch frame.kind {
            case .counter: 0x10
            case .returns: 0x20
            case .resumes: 0x30
            }
        bytes.append(kind | 7)
        let difference = frame.address &- last
        for shift in stride(from: 56, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: difference >> shift))
        }
        last = frame.address
    }

    /// Without the padding, which the runtime does not read.
    var text: String {
        Data(bytes).base64EncodedString().trimmingCharacters(in: ["="])
    }
}
