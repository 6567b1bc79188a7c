// SPDX-License-Identifier: Apache-2.0
// The sounds of the playing item. Most browsers play only the first sound, so the server makes a
// copy with another sound.

import { api, mediaAddress } from "../shared/api.js";
import { byId } from "../shared/dom.js";
import { store, stored } from "../shared/stored.js";

/** The stored name of the language that the user chose last. */
const key = "sound:language";

const languageOf = (sound) => sound.language ?? sound.title;
const phrase = (sound) => (sound.language && !sound.name && !sound.purpose ? `the ${sound.title} sound` : `the sound “${sound.title}”`);

/**
 * Offers the sounds of an item in the settings of the player, and selects the language that the
 * user chose last. `say` shows a message for a moment or until the next message. `note` shows a
 * message until the message is replaced.
 */
export async function offerSounds(item, media, { say, note }) {
  // A browser with a choice of sounds needs no copy, and a film that the browser keeps must
  // play without the server.
  if (media.audioTracks || media.src.startsWith("blob:")) return;
  let sounds;
  try {
    sounds = (await api.tracks(item.id)).tracks.filter(({ kind }) => kind === "audio");
  } catch {
    // The film plays with the first sound.
    return;
  }
  if (!media.isConnected || sounds.length < 2) return;
  /** The numbers of the playing sound and of the wanted sound. */
  let now = 1;
  let wanted = 1;
  /** The time at which the playback continued with another sound. */
  let start = 0;
  let isPreparing = false;
  let hasNote = false;
  media.addEventListener("error", giveBack);
  draw();
  const known = sounds.findIndex((each) => languageOf(each) === stored(key)) + 1;
  if (known > 1) take(known);

  function draw() {
    const options = sounds.map(({ title }, index) => [String(index + 1), title]);
    media.dispatchEvent(new CustomEvent("soundoffer", { detail: { options, value: String(wanted), choose } }));
  }

  function choose(value) {
    store(key, languageOf(sounds[Number(value) - 1]));
    take(Number(value));
  }

  const isStill = (next) => wanted === next && media.isConnected;

  /**
   * Plays another sound as soon as the server has prepared the sound. Until then, the present sound
   * continues.
   */
  async function take(next) {
    wanted = next;
    draw();
    if (hasNote) note("");
    if (isPreparing) say("");
    hasNote = false;
    isPreparing = next !== now && next > 1;
    if (next === now) return;
    if (isPreparing) {
      say(`Preparing ${phrase(sounds[next - 1])}…`, true);
      try {
        await api.prepareSound(item.id, next);
      } catch (error) {
        if (isStill(next)) refuse(next, error.message);
        return;
      }
    }
    // The time at which to resume is not set before the metadata is loaded.
    if (media.readyState === 0 && !media.error) await metadata();
    if (!isStill(next)) return;
    isPreparing = false;
    load(next);
    say(`Sound: ${sounds[next - 1].title}`);
  }

  function metadata() {
    return new Promise((resolve) => { media.addEventListener("loadedmetadata", resolve, { once: true }); });
  }

  /** Loads the file with a sound and continues at the same time. */
  function load(next) {
    const isPlaying = !media.paused;
    const modes = [...media.textTracks].map(({ mode }) => mode);
    const time = media.currentTime || start;
    [now, start] = [next, time];
    // A paused film stays paused.
    media.autoplay = false;
    media.src = mediaAddress(item.id, next);
    media.addEventListener("loadedmetadata", () => {
      if (time > 0) media.currentTime = time;
      modes.forEach((mode, index) => { media.textTracks[index].mode = mode; });
    }, { once: true });
    if (isPlaying) media.play().catch(() => {});
  }

  function refuse(next, reason) {
    wanted = now;
    isPreparing = false;
    draw();
    say("");
    hasNote = true;
    note(`The film keeps ${phrase(sounds[now - 1])}: ${phrase(sounds[next - 1])} cannot be played. ${reason}`);
  }

  /**
   * Returns to the first sound if another sound cannot be played. Without the server, the player
   * waits for the server.
   */
  async function giveBack() {
    if (now === 1) return;
    const failed = now;
    let reason = "This browser does not know its format.";
    try {
      await api.prepareSound(item.id, failed);
    } catch (error) {
      if (error.status === 0) return;
      reason = error.message;
    }
    if (now !== failed || !media.isConnected || !media.error) return;
    byId("player-trouble")?.remove();
    load(1);
    if (wanted === failed) refuse(failed, reason);
  }
}
