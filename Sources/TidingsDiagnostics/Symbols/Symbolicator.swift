// SPDX-License-Identifier: Apache-2.0

/// Finds the functions behind the addresses of a process that has ended.
protocol Symbolicator: Sendable {
    /// The images of this process, as ``symbols(of:images:)`` of a later one takes them.
    func captureImages() -> ImageList

    /// Returns a list for each address: the function there, behind those that were inlined into
    /// it. Empty where nothing is known, or only of another build of the file.
    func symbols(of frames: [RawCapture.Frame], images: ImageList) throws -> [[Symbol]]
}

/// A function at an address.
struct Symbol: Equatable, Sendable {
    /// Its name as a developer writes it.
    let name: String
    let image: String
    let file: String?
    let line: Int?
    /// Whether it stands at the place of its call.
    let isInlined: Bool
    /// Whether it is the runtime's word for why it stopped the program.
    let isRuntimeFailure: Bool
    /// Whether it belongs to the language or the system.
    let isSystem: Bool
}
