// SPDX-License-Identifier: Apache-2.0

/// Finds the functions at the addresses of a process that has ended.
protocol Symbolicator: Sendable {
    /// Returns the images of this process, in the form for ``symbols(of:images:)`` of a later
    /// process.
    func captureImages() -> ImageList

    /// Returns one list of functions per address.
    ///
    /// A list has inlined functions first, then the function that contains them. The list is empty
    /// if nothing is known or only another build of the file is available.
    func symbols(of frames: [RawCapture.Frame], images: ImageList) throws -> [[Symbol]]
}

/// A function at an address.
struct Symbol: Equatable, Sendable {
    /// The demangled name.
    let name: String
    let image: String
    let file: String?
    let line: Int?
    /// Whether the function was inlined into the calling function.
    let isInlined: Bool
    /// Whether this is a description of a runtime failure, such as an arithmetic overflow.
    let isRuntimeFailure: Bool
    /// Whether the function belongs to the language or the system.
    let isSystem: Bool
    /// Whether the function is asynchronous, in which case the stack does not have the callers.
    var isAsynchronous = false
}
