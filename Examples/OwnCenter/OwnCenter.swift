// SPDX-License-Identifier: Apache-2.0

/// A program whose own notification center is replaced by Tidings, in three steps.
///
/// Each step runs on eight threads at once and always prints the same text.
@main
struct OwnCenter {
    static func main() throws {
        try NamesAndClosures().run()
        SafeUnderThreads().run()
        try WeakObservers().run()
    }
}
