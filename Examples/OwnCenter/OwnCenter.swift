// SPDX-License-Identifier: Apache-2.0

/// A program that had a notification center of its own, in three steps, with Tidings in its place.
///
/// Each step is done from eight threads at once and prints the same text every time.
@main
struct OwnCenter {
    static func main() throws {
        try NamesAndClosures().run()
        SafeUnderThreads().run()
        try WeakObservers().run()
    }
}
