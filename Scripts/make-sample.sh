#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Generates the sample stream of the program from video and sound of ffmpeg's test sources, as HLS
# with segments of two seconds. Run this script from the root of the repository.
set -euo pipefail

out=Offline/Sources/OfflineServer/Sample
seconds=24
rm -rf "$out"
mkdir -p "$out"

# A melody of eight notes, one every 0.75 s, each fading out.
note="floor(mod(t/0.75\,8))"
pitch="261.63*(eq($note\,0)+1.25*eq($note\,1)+1.5*eq($note\,2)+2*eq($note\,3)"
pitch+="+1.6667*eq($note\,4)+1.5*eq($note\,5)+1.25*eq($note\,6)+1.125*eq($note\,7))"
fade="exp(-3*mod(t\,0.75))"
melody="0.22*$fade*(sin(2*PI*t*$pitch)+0.35*sin(4*PI*t*$pitch))"

ffmpeg -hide_banner -loglevel warning -nostdin -y \
    -f lavfi -i "mandelbrot=size=640x360:rate=25:maxiter=300:end_scale=0.02:end_pts=600" \
    -f lavfi -i "testsrc2=size=160x90:rate=25" \
    -f lavfi -i "aevalsrc=$melody:s=44100" \
    -filter_complex "[0:v]hue=h=40*t[deep];[1:v]format=yuva420p,colorchannelmixer=aa=0.85[card];\
[deep][card]overlay=x=W-w-16:y=H-h-16,format=yuv420p[v]" \
    -map "[v]" -map 2:a -t "$seconds" \
    -c:v libx264 -preset veryslow -crf 34 -maxrate 220k -bufsize 440k -g 50 -keyint_min 50 \
    -sc_threshold 0 -c:a aac -b:a 48k -ac 1 \
    -fflags +bitexact -flags:v +bitexact -flags:a +bitexact \
    -f hls -hls_time 2 -hls_playlist_type vod -hls_flags independent_segments \
    -hls_segment_filename "$out/part-%02d.ts" "$out/stream.m3u8"

cat >"$out/sample.m3u8" <<'PLAYLIST'
#EXTM3U
#EXT-X-VERSION:6
#EXT-X-STREAM-INF:BANDWIDTH=320000,RESOLUTION=640x360,CODECS="avc1.64001e,mp4a.40.2"
stream.m3u8
PLAYLIST
du -sh --apparent-size "$out"
