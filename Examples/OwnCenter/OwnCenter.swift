// SPDX-License-Identifier: Apache-2.0

/// A program in which Tidings replaces a custom notification center in three steps.
///
/// Each step runs on eight threads simultaneously and always prints the same lines.
@main
struct OwnCenter {
    static func main() throws {
        try NamesAndClosures().run()
        SafeUnderThreads().run()
        try WeakObservers().run()
    }
}
