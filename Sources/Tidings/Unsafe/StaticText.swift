// SPDX-License-Identifier: Apache-2.0

/// A static string of the program, in one word.
///
/// Unchecked: the pointer refers to a constant, which is never written and stays as long as the
/// code.
@safe struct StaticText: @unchecked Sendable {
    private let start: UnsafePointer<CChar>?

    init(_ text: StaticString) {
        // Invariant: a static string ends with a zero byte and is never freed.
        unsafe start =
            text.hasPointerRepresentation
            ? UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self) : nil
    }

    var text: String {
        guard let start = unsafe start else { return "" }
        return unsafe String(cString: start)
    }

    /// Returns the text followed by `end`, in one allocation.
    func text(before end: String) -> String {
        guard let start = unsafe start else { return end }
        var count = 0
        while unsafe start[count] != 0 { count += 1 }
        let bytes = unsafe UnsafeRawPointer(start).assumingMemoryBound(to: UInt8.self)
        // Invariant: both strings are written whole, within the capacity.
        return unsafe String(unsafeUninitializedCapacity: count + end.utf8.count) { text in
            unsafe text.baseAddress?.initialize(from: bytes, count: count)
            let (_, tail) = unsafe UnsafeMutableBufferPointer(rebasing: text[count...])
                .initialize(from: end.utf8)
            return count + tail
        }
    }
}
